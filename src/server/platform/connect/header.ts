/** The token of an `Authorization: JWT {token}` header. */
export const tokenOf = (authorization: string | undefined): string | undefined =>
  /^JWT\s+(\S+)$/i.exec(authorization ?? '')?.[1];
