import type { ChecklistChange } from '../../../domain/change.ts';
import type { ChangeOutcome, ChangeRequest } from '../../checklists/service/types.ts';
import { Refused } from '../../errors/refused.ts';
import { builder, type GraphContext } from './builder.ts';
import { ChecklistType, ConflictType } from './checklist.ts';

/** An expected refusal, for display by the client. */
export interface MutationError {
  code: string;
  field: string | undefined;
  message: string;
}

export const MutationErrorType = builder.objectRef<MutationError>('MutationError').implement({
  description: 'Why something was refused: a code, a message for users, and the invalid input.',
  fields: t => ({
    code: t.exposeString('code'),
    field: t.exposeString('field', { nullable: true }),
    message: t.exposeString('message'),
  }),
});

/** Result of a mutation with a message, or its refusal. */
export type Answer<T> = { value: T; message: string | undefined } | { error: MutationError };

/** Converts a rejection with `Refused` to an answer. */
export async function toAnswer<T>(work: Promise<T>, message?: string): Promise<Answer<T>> {
  try {
    return { value: await work, message };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { error: { code: error.code, field: error.field, message: error.message } };
  }
}

/** Common fields of such payloads; each adds its value. */
export const AnswerInterface = builder.interfaceRef<Answer<unknown>>('MutationAnswer').implement({
  fields: t => ({
    message: t.string({
      nullable: true,
      description: 'Message for the user, if any.',
      resolve: answer => ('error' in answer ? null : answer.message),
    }),
    errors: t.field({ type: [MutationErrorType], resolve: answer => ('error' in answer ? [answer.error] : []) }),
  }),
});

type Payload = { outcome: ChangeOutcome } | { error: MutationError };

export const ChecklistPayload = builder.objectRef<Payload>('ChecklistPayload').implement({
  description: 'Result of a change: a checklist, or the reasons of a refusal.',
  fields: t => ({
    checklist: t.field({
      type: ChecklistType,
      nullable: true,
      resolve: payload => ('outcome' in payload ? payload.outcome.checklist : null),
    }),
    conflicts: t.field({
      type: [ConflictType],
      resolve: payload => ('outcome' in payload ? payload.outcome.conflicts : []),
    }),
    notices: t.stringList({ resolve: payload => ('outcome' in payload ? payload.outcome.notices : []) }),
    issueKey: t.string({
      nullable: true,
      description: 'Key of the issue that was created from an item.',
      resolve: payload => ('outcome' in payload ? payload.outcome.issueKey : null),
    }),
    errors: t.field({
      type: [MutationErrorType],
      resolve: payload => ('error' in payload ? [payload.error] : []),
    }),
  }),
});

/** Common fields of the inputs of changes. */
export interface Sent {
  issueId: string;
  clientId: string;
  base: {
    epoch: string;
    seq: number;
    hash: string;
    text?: string | null | undefined;
    rows?: string[] | null | undefined;
  };
}

/** Makes a change; converts a rejection with `Refused` to a payload. */
export async function change(context: GraphContext, sent: Sent, edit: ChecklistChange): Promise<Payload> {
  const { issueId, clientId, base } = sent;
  const { epoch, seq, hash, text, rows } = base;
  const sentText = text == null ? {} : { text, ...(rows != null && { rows }) };
  const request: ChangeRequest = { issueId, clientId, edit, base: { epoch, seq, hash, ...sentText } };
  try {
    return { outcome: await context.checklists.change(request) };
  } catch (error) {
    if (error instanceof Refused) return { error: { code: error.code, field: error.field, message: error.message } };
    throw error;
  }
}
