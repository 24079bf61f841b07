import type { ProofMethod } from '#lib/proof.ts'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'

/** How the signed-in person can show that it is them, the best way first. */
export const proofMethodsQuery = query({
  key: ['proof-methods'],
  staleTime: 0,
  load: async (signal) => (await rpc('proof_methods', {}, signal)) as ProofMethod[],
})
