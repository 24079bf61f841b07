// What operators look at: the state of the site, and where people's emails are.
import { CRON, testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { openApp } from '../app.tsx'
import { dialog, rows } from '../parts.ts'
import { addStaff } from '../people.ts'

const server = await testServer()
const { db } = server
const ada = await addStaff(server, 'ada', 'admin')

it('an admin sees servers, the database, queues with their newest errors, jobs, and a jump of the clock', async () => {
  await db.query(`update ${CRON}.job set active = jobname = 'mail', schedule = '0 0 1 1 *'`)
  await db.query(
    `insert into ${CRON}.job_run_details (jobid, status, return_message, end_time)
     select jobid, 'failed', 'it broke', now() - interval '2 hours' from ${CRON}.job where active`,
  )
  await db.query(
    `insert into private.outgoing_mail (recipient, event, created_at, attempts, next_attempt_at, last_error)
     values ('slow@mail.example', 'request-approved', now() - interval '3 hours', 2, now() + interval '1 hour', 'Greylisted')`,
  )
  await db.query(
    `insert into platform.servers values
     (gen_random_uuid(), '9.8.7', now() - interval '2 days', now(), 5400000000, now() - interval '1 day', now() - interval '4 hours', 7200)`,
  )
  await openApp(server, '/admin/system', { as: ada })
  await screen.findByText('Size of the database')
  expect(rows('Servers')).toEqual(['9.8.72 days ago5.4 GByesterday'])
  expect(rows('Queues')).toEqual([
    'Emails113 hours agoGreylisted',
    ...['Payments', 'Steps of places', 'Notifications on devices', 'Webhooks'].map((queue) => `${queue}00`),
  ])
  expect(rows('Scheduled jobs')).toEqual(['Mailnever2 hours agoit broke'])
  expect(screen.getByText(/It jumped ahead by about 2 h/)).toBeTruthy()
  expect(screen.getByText('Something fails').closest('.mantine-Alert-root')?.textContent).toMatch(
    /Emails, Mail$/,
  )
  await db.query(`delete from ${CRON}.job_run_details`)
  await db.query('update private.outgoing_mail set last_error = null')
  await openApp(server, '/admin/system', { as: ada })
  await screen.findByText('Everything runs: no queue and no job has an error.')
  expect(screen.getByText('1 job runs fine').closest('details')).toHaveProperty('open', false)
  await db.query(`update private.outgoing_mail set last_error = 'Greylisted'`)
})

it('after a restore an admin ends the hold on payments, and says what was compared', async () => {
  await db.query(`insert into private.restores (backed_up_at) values ('2026-02-03 04:05+00')`)
  await db.query(
    `select record_unknown_event('books:pi_other', 'Not in the books: charge of €5.19', 'pi_other')`,
  )
  const { user } = await openApp(server, '/admin/system', { as: ada })
  await screen.findByText(/^A backup of .*2026.* was restored on/)
  // A charge that belongs to no payment cannot be booked.
  const other = within(screen.getByLabelText('pi_other'))
  other.getByText(/^Belongs to no payment here/)
  expect(other.queryByRole('button')).toBeNull()
  await user.click(screen.getByText('The books are compared'))
  const asked = await dialog('End the hold on payments?')
  await user.type(asked.getByLabelText(/^What did you compare/), 'Stripe and file 1')
  await user.click(asked.getByText('End the hold', { selector: 'button *' }))
  await waitFor(() => expect(screen.queryByText('Payments are on hold')).toBeNull())
  expect(await db.query('select compared_at from private.restores where compared_at is null')).toEqual([])
})

it('an admin searches for an address, has a waiting mail tried at once, and sends themselves a test', async () => {
  const { user, at, cache } = await openApp(server, '/admin/mails', { as: ada })
  await screen.findByText('No undelivered emails')
  await user.type(screen.getByLabelText('Search by email address'), 'slow@')
  await waitFor(() => expect(at()).toBe('/admin/mails?q=slow%40'))
  const tryNow = await screen.findByText('Waiting: try now')
  expect(rows('Emails to slow@')[0]).toBe('Request Approved slow@mail.exampleGreylistedWaiting: try now')
  await user.click(tryNow)
  const tried = () =>
    db.query(`select id from private.outgoing_mail where attempts > 2 and recipient = 'slow@mail.example'`)
  await waitFor(async () => expect(await tried()).toHaveLength(1))
  await db.query(`update private.outgoing_mail
    set sent_at = null, given_up_at = now(), path = '/my-subscriptions' where recipient = 'slow@mail.example'`)
  await cache.invalidateQueries()
  await user.click(await screen.findByText('Send again'))
  const givenUp = () =>
    db.query(
      `select id from private.outgoing_mail where given_up_at is not null and recipient = 'slow@mail.example'`,
    )
  await waitFor(async () => expect(await givenUp()).toEqual([]))
  await user.click(screen.getByText('Send me a test'))
  await waitFor(async () =>
    expect((await server.outbox()).map(({ to, subject }) => [to, subject])).toContainEqual([
      ada.email,
      'Mail works',
    ]),
  )
})
