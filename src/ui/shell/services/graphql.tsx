import { createContext, useContext } from 'react';
import type { GraphqlClient } from '../../../client/graphql.ts';
import { required } from './required.ts';

const Client = createContext<GraphqlClient | undefined>(undefined);

export const GraphqlProvider = Client.Provider;

/** The client for our own server's operations; it sends the session's token. */
export const useGraphql = (): GraphqlClient =>
  required(useContext(Client), 'useGraphql must be used within a GraphqlProvider');
