import * as z from 'zod/mini'

/** A wish in an address: missing when it is not there, or is not what it should be. */
export const given = <Schema extends z.ZodMiniType>(schema: Schema) => z.catch(z.optional(schema), undefined)
