// The parts of the project used by the bench; loaded through Vite, because they are TypeScript.
export { startApp } from '../server/src/app.ts'
export { readConfig } from '../server/src/config.ts'
export { openDatabase } from '../server/src/db/open.ts'
export { RARE_PROVIDER, shareManyPlans } from '../supabase/tests/many-plans.ts'
export { marketQuery, offerQuery, planCountsQuery } from '../web/src/features/plans/browse/market.queries.ts'
export { setConfig } from '../web/src/lib/config.ts'
export { connectSupabase } from '../web/src/lib/supabase.ts'
