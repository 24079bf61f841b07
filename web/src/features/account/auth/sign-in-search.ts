import * as z from 'zod/mini'

/** What the sign-in address may carry. Anything else in it is ignored. */
export const signInSearch = z.object({
  redirect: z.catch(z.optional(z.string()), undefined),
  from: z.catch(z.optional(z.string()), undefined),
  success: z.catch(z.optional(z.coerce.boolean()), undefined),
})
