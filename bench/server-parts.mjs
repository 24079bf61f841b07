// The parts of the server that the bench uses. They are loaded through Vite, because they are TypeScript.
export { startApp } from '../server/src/app.ts'
export { readConfig } from '../server/src/config.ts'
export { openDatabase } from '../server/src/db/open.ts'
export { RARE_PROVIDER, shareManyPlans } from '../supabase/tests/many-plans.ts'
