import * as v from 'valibot';
import { frameworkShape } from './modules.ts';

/*
 * The API of the page: gadgets on the user's dashboard.
 */

/** A gadget of an app on the user's dashboard. */
const gadget = v.object({ id: v.string(), framework: frameworkShape, addonKey: v.string(), moduleKey: v.string() });
export type HostGadget = v.InferOutput<typeof gadget>;
export const newGadget = v.omit(gadget, ['id']);

/**
 * GET /host/gadgets: those of the user's dashboard. POST adds one, PUT /host/gadgets/{id} {config} keeps the configuration
 * of a Forge gadget, DELETE removes one.
 */
export const gadgetsShape = v.array(gadget);
