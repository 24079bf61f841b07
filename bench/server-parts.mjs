// The parts of our server that the bench borrows; loaded through Vite, because they are TypeScript.
export { startApp } from '../server/src/app.ts'
export { readConfig } from '../server/src/config.ts'
export { openDatabase } from '../server/src/db/open.ts'
