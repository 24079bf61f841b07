import * as z from 'zod/mini'

/** A search parameter; undefined if it is missing or invalid. */
export const given = <Schema extends z.ZodMiniType>(schema: Schema) => z.catch(z.optional(schema), undefined)

/** How many rows of a list were shown; ignored if it would take forever to load that many again. */
export const keptRows = given(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(1000)))
