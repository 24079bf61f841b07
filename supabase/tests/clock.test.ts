// The jobs scheduled by the migrations, and what they do.
import { expect, test } from 'vitest'
import { CRON } from '../../server/test/harness.ts'
import { addPerson, ownDatabase } from './people.ts'

const { db, sql } = await ownDatabase()

test('the jobs belong to the owner of the project, and every command they hold works', async () => {
  const jobs = await db.query<{ command: string; jobname: string; schedule: string }>(
    `select jobname, schedule, command from ${CRON}.job where username = 'project_owner' order by 1`,
  )
  expect(jobs.map(({ jobname, schedule }) => [jobname, schedule])).toEqual([
    ['close-day', '*/5 * * * *'],
    ['closed-accounts', '* * * * *'],
    ['due-work', '10 seconds'],
    ['housekeeping', '23 3 * * *'],
    ['invoices', '10 seconds'],
    ['mail', '* * * * *'],
    ['payments', '* * * * *'],
    ['push', '10 seconds'],
    ['reconciliation', '37 4 * * *'],
    ['sales-abroad', '3 5 * * *'],
    ['seal-transfers', '10 seconds'],
    ['standing', '* * * * *'],
    ['suspended-payouts', '* * * * *'],
    ['tax-details', '53 4 * * *'],
    ['webhooks', '10 seconds'],
  ])
  for (const { command } of jobs) await db.transaction((tx) => tx.script(command), { role: 'project_owner' })
})

test('housekeeping forgets what is over, and nothing that still counts', async () => {
  const nina = await addPerson(db, 'Nina')
  await sql`delete from private.outgoing_mail`
  await sql`insert into private.outgoing_mail (recipient, subject, html, created_at, sent_at)
    select 'nina@potluck.example', name, 'x', now() - age, sent from (values
      ('sent', interval '31 days', now()), ('waiting', interval '31 days', null), ('young', interval '29 days', now())
    ) as m (name, age, sent)`
  await sql`insert into private.rate_limit_usage (user_id, action, used_at) values
    (${nina.id}, 'approval', array[now() - interval '3 days', now() - interval '2 days']),
    (${nina.id}, 'rejection', array[now() - interval '2 days', now()])`
  await sql`insert into user_notifications (user_id, type, title, message, read, created_at)
    select ${nina.id}, 'info', name, 'x', read, now() - age from (values
      ('read long ago', true, interval '91 days'), ('read', true, interval '89 days'),
      ('never read', false, interval '364 days'), ('never to be read', false, interval '366 days')
    ) as n (name, read, age)`
  await sql`select private.run_housekeeping()`
  expect(await sql`select subject from private.outgoing_mail order by 1`).toEqual([
    { subject: 'waiting' },
    { subject: 'young' },
  ])
  expect(await sql`select action from private.rate_limit_usage where user_id = ${nina.id}`).toEqual([
    { action: 'rejection' },
  ])
  expect(await sql`select title from user_notifications where user_id = ${nina.id} order by 1`).toEqual([
    { title: 'never read' },
    { title: 'read' },
  ])
})
