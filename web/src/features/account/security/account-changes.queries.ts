import { query } from '#lib/query.ts'
import { SECURITY } from '#lib/security.ts'
import { rpc } from '#lib/supabase.ts'

/** What has changed of late about how the signed-in person gets in, the newest first. */
export const accountChangesQuery = query({
  key: [...SECURITY, 'account-changes'],
  load: (signal) => rpc('recent_account_changes', {}, signal),
})
