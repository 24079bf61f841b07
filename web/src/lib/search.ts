import * as z from 'zod/mini'

/** A search parameter; undefined if it is missing or invalid. */
export const given = <Schema extends z.ZodMiniType>(schema: Schema) => z.catch(z.optional(schema), undefined)

/** The number of rows that a list showed; ignored above 1000, which would take too long to load again. */
export const keptRows = given(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(1000)))
