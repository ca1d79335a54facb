/** A context's value; throws the message where the provider is missing. */
export function required<Value>(value: Value | undefined, message: string): Value {
  if (value === undefined) throw new Error(message);
  return value;
}
