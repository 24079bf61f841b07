// `npm run admin -- grant <email> super-admin`: manages staff roles from the server itself. Also revoke <email>, and list.
import { load } from './run.mjs'

const { main } = await load('supabase/admin/main.ts')
process.exit(await main(process.argv.slice(2), process.env))
