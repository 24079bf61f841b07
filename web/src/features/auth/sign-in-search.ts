import { z } from 'zod'

/** What the sign-in address may carry (AUTH-09, AUTH-17). Anything else in it is ignored. */
export const signInSearch = z.object({
  redirect: z.string().optional().catch(undefined),
  from: z.string().optional().catch(undefined),
  success: z.coerce.boolean().optional().catch(undefined),
})
