// `npm run backup`, `restore` and `move`: a whole site in a file, or in another database.
import { load } from './run.mjs'

const { main } = await load('server/src/copy/main.ts')
process.exit(await main(process.argv.slice(2), process.env))
