// Drives the bare driver: node raw-process.mjs <postgres url or PGlite folder> <recorded statements>
import { readFileSync } from 'node:fs'
import { drive } from '../load.mjs'
import { openDriver } from './raw-drivers.mjs'

const [target, file] = process.argv.slice(2)
const recorded = JSON.parse(readFileSync(file, 'utf8'))
const driver = await openDriver(target)

// The bench has exited.
process.on('disconnect', () => process.exit(1))
process.on('message', async ({ call, seconds, from, stop }) => {
  if (stop) {
    await driver.close()
    process.exit(0)
  }
  if (call === undefined) return process.send({})
  const transactions = recorded[call]
  process.send(await drive((n) => driver.transact(transactions[n % transactions.length]), { seconds, from }))
})
