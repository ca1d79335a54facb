import type { ComponentType, RefObject } from 'react';
import { useEffect } from 'react';
import type { AnalyticsEvent } from '../../domain/events.ts';
import { keyOf } from '../kit/typing.ts';

/**
 * An action of a user, declared once for everything that shows it: menus, toolbars, keys, the palette and the help. The
 * text editor's commands have the same names and keys, in `src/editor/commands.ts`.
 */
export interface Command<Context> {
  id: string;
  /** The name in the help; also in menus and the palette, if `label` gives no other. */
  title: string;
  /** The name that fits the context, such as one of two directions. */
  label?(context: Context): string;
  icon?: ComponentType<{ label: string }>;
  /** Such as `Alt-ArrowUp`, letters in upper case. The first key is shown. */
  keys?: readonly string[];
  appliesTo: 'item' | 'section' | 'row' | 'selection' | 'list' | 'checklist';
  /** The menu's group of the command; without one, the command has a control of its own. */
  group?: string;
  /** The kind of popup that the command opens at its control. */
  popup?: 'menu' | 'dialog';
  /** Marked while there is unread news. */
  news?: boolean;
  /** Whether the command makes sense in the context and the user has the permission. */
  isOffered(context: Context): boolean;
  run(context: Context): void;
  /** The event that analytics count, whichever control runs the command. */
  event?(context: Context): AnalyticsEvent | undefined;
}

/** Makes the commands of a table. */
export const commandsFor =
  <Context>() =>
  (
    id: string,
    title: string,
    appliesTo: Command<Context>['appliesTo'],
    rest: Omit<Command<Context>, 'id' | 'title' | 'appliesTo'>,
  ): Command<Context> => ({ id, title, appliesTo, ...rest });

type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'getModifierState'>;

/** Whether an event is one of a command's keys. Shift counts beside Ctrl and Cmd only: signs need it on some keyboards. */
export const hasKey = ({ keys }: Pick<Command<never>, 'keys'>, event: Pressed): boolean =>
  keys?.some(key => {
    const [name, ...modifiers] = key.split('-').reverse();
    const isMod = event.ctrlKey || event.metaKey;
    return (
      name === keyOf(event) &&
      modifiers.includes('Alt') === event.altKey &&
      modifiers.includes('Mod') === isMod &&
      (!isMod || modifiers.includes('Shift') === event.shiftKey)
    );
  }) === true;

export type Track = (event: AnalyticsEvent) => void;

/** A command that is offered in a context, ready to be shown and run. */
export interface OfferedCommand extends Pick<Command<never>, 'id' | 'icon' | 'keys' | 'group' | 'popup' | 'news'> {
  label: string;
  run(): void;
}

/** Runs a command unless it is no longer offered. Returns whether it ran. */
export function runCommand<Context>(command: Command<Context>, context: Context, track: Track): boolean {
  if (!command.isOffered(context)) return false;
  const event = command.event?.(context);
  command.run(context);
  if (event) track(event);
  return true;
}

/** The commands that a context offers. Each is checked again when it runs: a permission may be lost by then. */
export function offeredCommands<Context>(
  commands: readonly Command<Context>[],
  contextOf: () => Context | undefined,
  track: Track,
): OfferedCommand[] {
  const context = contextOf();
  if (context === undefined) return [];
  return commands.flatMap(command => {
    if (!command.isOffered(context)) return [];
    const { title, label, isOffered, run, event, appliesTo, ...shown } = command;
    const runLatest = () => {
      const latest = contextOf();
      if (latest !== undefined) runCommand(command, latest, track);
    };
    return [{ ...shown, label: label?.(context) ?? title, run: runLatest }];
  });
}

/** A menu's groups of offered commands, in the order of the table. */
export const menuGroups = (commands: readonly OfferedCommand[]): OfferedCommand[][] =>
  [...new Set(commands.flatMap(({ group }) => group ?? []))].map(name =>
    commands.filter(({ group }) => group === name),
  );

/** The commands that each part of a screen adds to the palette and to the keys of the list. */
export type Offers = Partial<Record<'selection' | 'foot' | 'bar' | 'tools', () => readonly OfferedCommand[]>>;

/** Offers commands while the component is mounted. */
export function useOffers(
  { current: offers }: RefObject<Offers>,
  part: keyof Offers,
  commands: () => readonly OfferedCommand[],
): void {
  useEffect(() => {
    offers[part] = commands;
    return () => {
      delete offers[part];
    };
  });
}
