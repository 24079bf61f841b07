// `npm run backup`, `restore` and `move`: copies a whole site to a file, from a file, or to another database.
import { load } from './run.mjs'

const { main } = await load('server/src/copy/main.ts')
process.exit(await main(process.argv.slice(2), process.env))
