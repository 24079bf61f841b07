// The parts of the web app that the bench uses. They are loaded through Vite, with the plugin for the messages in them.
export { marketQuery, offerQuery, planCountsQuery } from '../web/src/features/plans/browse/market.queries.ts'
export { setConfig } from '../web/src/lib/config.ts'
export { connectSupabase } from '../web/src/lib/supabase.ts'
