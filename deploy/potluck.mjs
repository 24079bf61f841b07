#!/usr/bin/env node
// The program in a release's archive: starts the site whose data is in ./potluck-data, or runs an operator's command.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const { engines } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'))
const [floor] = engines.node.match(/\d+\.\d+/)
const isOlder = process.versions.node.localeCompare(floor, undefined, { numeric: true }) < 0
if (isOlder) end(`Potluck needs Node ${floor} or newer; this is ${process.versions.node}.`)

// Data is not stored in the program's folder: npx keeps that folder in its cache, and a new release replaces it.
process.env.DATA_DIR ||= resolve('potluck-data')

const COMMANDS = {
  start: async () => {
    process.stdout.write(`Data is in ${process.env.DATABASE_URL ? 'DATABASE_URL' : process.env.DATA_DIR}.\n`)
    await import('./server/dist/main.js')
  },
  admin: async (args) => run(await import('./server/dist/admin.js'), args),
  ...Object.fromEntries(
    ['backup', 'restore', 'move'].map((verb) => [
      verb,
      async (args) => run(await import('./server/dist/copy.js'), [verb, ...args]),
    ]),
  ),
}
const [command = 'start', ...args] = process.argv.slice(2)
if (!Object.hasOwn(COMMANDS, command))
  end(`There is no command ${command}; there are ${Object.keys(COMMANDS).join(', ')}.`)
await COMMANDS[command](args)

async function run({ main }, args) {
  process.exit(await main(args, process.env))
}

function end(sentence) {
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}
