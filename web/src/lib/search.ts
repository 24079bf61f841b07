import * as z from 'zod/mini'

/** A wish in an address: missing when it is not there, or is not what it should be. */
export const given = <Schema extends z.ZodMiniType>(schema: Schema) => z.catch(z.optional(schema), undefined)

/** How far a list was read, in rows; what would take forever to load again is as good as nothing. */
export const keptRows = given(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(1000)))
