// `npm run bench -- clock`: runs a job every second on two servers over one database and kills one of the servers; also
// measures the cost of polling while no job is due. The results are only printed.
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { connect, onPostgres } from './cluster.mjs'
import { startPotluck } from './contestants/potluck.mjs'
import { quantile, timesOf, verdict } from './figures.mjs'

const SECONDS = 60
const LOOKS = 500

export const measure = () => onPostgres('clock', report)

async function report(cluster, folder) {
  const servers = []
  try {
    const databaseUrl = await cluster.create('clock')
    for (const name of ['one', 'two'])
      servers.push(await startPotluck({ folder: join(folder, name), databaseUrl }))
    const sql = connect(databaseUrl)
    await reportLooks(sql)
    await reportBeats(sql, servers[0])
    await sql.end()
  } finally {
    for (const server of servers) await server.stop()
  }
}

async function reportLooks(sql) {
  const look = () => sql`select * from platform.take_due_jobs(4)`
  const times = await timesOf(look, { count: LOOKS, warmUp: 0 })
  const [middle, p95] = [0.5, 0.95].map((share) => quantile(times, share).toFixed(2))
  console.log(
    `${verdict(middle < 5)} Nothing due: ${middle} ms (median of ${LOOKS}), p95 ${p95} ms; promised under 5`,
  )
}

async function reportBeats(sql, dying) {
  await sql`create table beats (at timestamptz default clock_timestamp())`
  await sql`select cron.schedule('beat', '1 second', 'insert into public.beats default values')`
  console.log(`A job of each second for ${SECONDS} s; one of two servers is killed at half time …`)
  await pause((SECONDS * 1000) / 2)
  dying.kill()
  await pause((SECONDS * 1000) / 2)
  await sql`select cron.unschedule('beat')`
  const [{ runs, seconds }] = await sql`
    select count(*)::int as runs, count(distinct date_trunc('second', at))::int as seconds from beats`
  console.log(
    `${verdict(runs >= 55 && runs <= 61 && runs === seconds)} ${runs} runs in ${seconds} different seconds`,
  )
}
