// Mail for people who are away: which notifications, when, and how it is cancelled; and the queue, as SQL sees it. How
// the server drains it is tested in server/test/wire/outgoing-mail.test.ts.
// Proves NOTIF 11, REQ 11
import { asCaller } from '@potluck/server/db/as-caller.ts'
import type { Row } from '@potluck/server/db/database.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import type { QueuedMail } from '../functions/mail/words.ts'
import { asSent, leftInEnglish, waitingMails } from './mail-words.ts'
import {
  type Asker,
  addPerson,
  DENIED,
  notFound,
  ownDatabase,
  type Person,
  refusalOf,
  rule,
} from './people.ts'
import { approve, ask, setTheTable, sharePlan } from './plans.ts'
import { openTill } from './till.ts'

const { db, sql, VISITOR } = await ownDatabase({ sheltered: true })
beforeEach(async () => {
  await sql`delete from private.outgoing_mail`
})

const mailsTo = ({ email }: Person) => waitingMails(db, email)
const subjects = async (person: Person) => (await mailsTo(person)).map(({ said }) => said.subject)
const age = (request: string, hours: number) =>
  sql`update subscription_requests set requested_at = now() - ${`${hours} hours`}::interval where id = ${request}`
const passTime = () => sql`select private.run_due_work()`

/**
 * Sets up Olivia's plan with its member Marc, and two strangers, Zoe and Nina; deletes the mails that this has queued.
 */
async function setUp() {
  const table = { ...(await setTheTable(db)), nina: await addPerson(db, 'Nina') }
  const { olivia, plan } = table
  await sql`delete from private.outgoing_mail`
  const reject = (request: string) => olivia.sql`select reject_subscription_request(${request}, ${plan.id})`
  return { ...table, reject }
}
type MailScene = Awaited<ReturnType<typeof setUp>>

const CONTRACT = 'Your place in Netflix Premium: the terms'
const answered = (how: string) => `Your request to join Netflix Premium has been ${how}.`
const STILL_WAITS =
  'Zoe is waiting for your answer about Netflix Premium. The request expires within 6 hours.'

describe('a mail to somebody who is away', () => {
  test.each<
    [string, (scene: MailScene) => Promise<unknown>, Partial<Record<'olivia' | 'zoe' | 'nina', string[]>>]
  >([
    [
      'tells an owner of a request',
      ({ zoe, plan }) => ask(db, zoe, plan),
      { olivia: ['Zoe would like to join Netflix Premium. /manage-shared/:plan'], zoe: [] },
    ],
    [
      'tells a requester of an approval, and is not sent to the owner who gave it',
      async ({ zoe, plan }) => approve(db, plan, await ask(db, zoe, plan)),
      { olivia: [], zoe: [`${CONTRACT} /manage-subscribed/:plan`] },
    ],
    [
      'tells a requester of a rejection, and is not sent to the owner who gave it',
      async ({ zoe, plan, reject }) => reject(await ask(db, zoe, plan)),
      { olivia: [], zoe: [`${answered('rejected')} /available-subscriptions`] },
    ],
    [
      'is not sent when it was read meanwhile',
      async ({ olivia, zoe, plan }) => {
        await ask(db, zoe, plan)
        await olivia.sql`select mark_notifications_as_read(${olivia.id})`
      },
      { olivia: [] },
    ],
    [
      'is not sent when the request was cancelled meanwhile',
      async ({ zoe, plan }) => {
        const request = await ask(db, zoe, plan)
        await zoe.sql`update subscription_requests set status = 'cancelled' where id = ${request}`
      },
      { olivia: [] },
    ],
    [
      'is not sent when the plan it leads to was cancelled meanwhile; a contract, and one that leads elsewhere, is',
      async ({ olivia, zoe, nina, plan, reject }) => {
        await approve(db, plan, await ask(db, zoe, plan))
        await zoe.sql`delete from subscription_members where user_id = ${zoe.id}`
        await reject(await ask(db, nina, plan))
        await olivia.sql`delete from shared_subscriptions where id = ${plan.id}`
      },
      {
        zoe: [`${CONTRACT} /manage-subscribed/:plan`],
        nina: [`${answered('rejected')} /available-subscriptions`],
      },
    ],
    [
      'goes with the account it was for',
      async ({ zoe, nina }) => {
        await ask(db, zoe, await sharePlan(db, nina))
        await sql`delete from auth.users where id = ${nina.id}`
      },
      { nina: [] },
    ],
    [
      'reminds nobody while more than 6 hours are left',
      async ({ zoe, plan }) => {
        await age(await ask(db, zoe, plan), 41.9)
        await passTime()
      },
      { olivia: ['Zoe would like to join Netflix Premium. /manage-shared/:plan'] },
    ],
    [
      'reminds nobody of a request that is over, and is called back by one that expires',
      async ({ zoe, nina, plan, reject }) => {
        const expired = await ask(db, zoe, plan)
        await age(expired, 43)
        await passTime()
        await age(expired, 48)
        const rejected = await ask(db, nina, plan)
        await age(rejected, 43)
        await reject(rejected)
        await passTime()
      },
      { olivia: [] },
    ],
  ])('%s', async (_what, happens, expected) => {
    const table = await setUp()
    await happens(table)
    for (const [who, mails] of Object.entries(expected)) {
      const waiting = await mailsTo(table[who as keyof typeof expected])
      const paths = mails.map((mail) => (/ (\/.+)$/.exec(mail)?.[1] ?? '').replace(':plan', table.plan.id))
      expect(waiting.map(({ said }) => said.subject)).toEqual(mails.map((mail) => mail.replace(/ \/.+$/, '')))
      expect(waiting.map(({ path }) => path)).toEqual(paths)
      if (mails.length > 0) expect(await leftInEnglish(db)).toEqual([])
    }
  })

  test('waits ten minutes, and has a way to want no more of them', async () => {
    const { olivia, zoe, plan } = await setUp()
    await ask(db, zoe, plan)
    const [mail] = await mailsTo(olivia)
    expect(mail).toMatchObject({ minutes: 10 })
    expect(mail?.unsubscribe_path).toMatch(/^\/unsubscribe\/[0-9a-f]{64}$/)
  })

  test('reminds an owner once when 6 hours are left, as the bell does', async () => {
    const { olivia, zoe, plan } = await setUp()
    await age(await ask(db, zoe, plan), 42)
    await sql`delete from private.outgoing_mail`
    for (let times = 0; times < 2; times += 1) await passTime()
    expect(await subjects(olivia)).toEqual([STILL_WAITS])
    expect(
      await olivia.sql`select type, message from user_notifications where title = 'Request Expiring Soon'`,
    ).toEqual([{ type: 'warning', message: STILL_WAITS }])
  })

  test('leads to the payments where money goes back for a plan that is cancelled, and nowhere that is gone', async () => {
    const till = await openTill(db)
    const [olivia, mia] = [await till.payer('Olivia'), await till.payer('Mia')]
    const plan = await till.share(olivia)
    await till.enter(mia, plan)
    await till.work()
    await olivia.sql`delete from shared_subscriptions where id = ${plan.id}`
    expect((await mailsTo(mia)).filter(({ event }) => event !== 'contract-made')).toEqual([
      expect.objectContaining({
        said: expect.objectContaining({
          subject: expect.stringMatching(/^We’re refunding €5\.50 of your payment for Netflix Premium/),
          action: 'See your payments',
        }),
        path: '/payments',
      }),
    ])
    expect(await leftInEnglish(db)).toEqual([])
  })

  test('is in the language and time zone of its reader, also where they choose it later, never of who acted', async () => {
    const { olivia, zoe, nina, plan } = await setUp()
    const reads = (person: Person, language: string) =>
      person.sql`update user_profiles set language = ${language} where user_id = ${person.id}`
    await reads(zoe, 'es')
    await approve(db, plan, await ask(db, zoe, plan))
    await ask(db, nina, plan)
    await reads(olivia, 'fr')
    await sql`update private.outgoing_mail set next_attempt_at = clock_timestamp()`
    const taken = await sql<QueuedMail & Row>`select * from private.lease_due_mails(10)`
    const sent = await Promise.all(taken.map(asSent))
    expect(Object.fromEntries(sent.map(({ to, html }) => [to, /lang="(..)"/.exec(html)?.[1]]))).toEqual({
      [zoe.email]: 'es',
      [olivia.email]: 'fr',
    })
  })

  test('has a subject of one short line in every language, however long an answer is', async () => {
    const zoe = await addPerson(db, 'Zoe')
    const answer = JSON.stringify({ answer: `Dear Zoe,\n${'🍲'.repeat(1000)}` })
    await sql`select private.mail_notification(
      private.notify(${zoe.id}, 'info', null, 'support-answered', ${answer}), '{}', '/help')`
    await sql`update private.outgoing_mail set next_attempt_at = clock_timestamp()`
    const [mail] = await sql<QueuedMail & Row>`select * from private.lease_due_mails(1)`
    for (const language of [null, 'de'])
      expect(mail && (await asSent({ ...mail, language })).subject).toBe(`Dear Zoe, ${'🍲'.repeat(190)}`)
  })

  test('is not written to an account without an address, and stands in the way of nothing', async () => {
    const { olivia, zoe, plan } = await setUp()
    await sql`update auth.users set email = null where id = ${olivia.id}`
    const request = await ask(db, zoe, plan)
    await age(request, 43)
    await passTime()
    expect(await sql`select recipient from private.outgoing_mail where ${request} = any (about)`).toEqual([])
    await approve(db, plan, request)
  })
})

describe('what a person chooses', () => {
  const choices = async (person: Person) => {
    const rows = await person.sql<Record<'mail' | 'push', boolean> & { topic: string }>`
      select * from get_notification_choices()`
    return Object.fromEntries(rows.map(({ topic, mail, push }) => [topic, [mail, push]]))
  }
  const preference = async (person: Person) =>
    (await person.sql<{ on: boolean }>`select get_mail_preference() as on`)[0]?.on
  const byLink = (who: Asker, token: string, on: boolean) =>
    who.sql`select set_mail_preference_by_link(${token}, ${on})`
  const PARAMS = { plan: 'Netflix Premium', owner: 'Olivia', amount: 4.4, late: false }
  const tell = (person: Person, event: string) =>
    sql`select private.mail_notification(
      private.notify(${person.id}, 'info', null, ${event}, ${JSON.stringify(PARAMS)}), '{}', '/')`
  const about = async (person: Person) => (await mailsTo(person)).map(({ event }) => event)

  test('no mail at all, also of what waits, until they want it again', async () => {
    const [zoe, marc] = [await addPerson(db, 'Zoe'), await addPerson(db, 'Marc')]
    expect(await preference(zoe)).toBe(true)
    await tell(zoe, 'payment-due')
    await zoe.sql`select set_mail_preference(false)`
    await tell(zoe, 'payment-returned')
    expect([await preference(zoe), await preference(marc), await about(zoe)]).toEqual([false, true, []])
    await zoe.sql`select set_mail_preference(true)`
    await tell(zoe, 'payment-returned')
    expect(await about(zoe)).toEqual(['payment-returned'])
  })

  test('signed out, by the link of a mail: no mail about anything, and nothing else', async () => {
    const zoe = await addPerson(db, 'Zoe')
    await tell(zoe, 'payment-due')
    const token = (await mailsTo(zoe))[0]?.unsubscribe_path?.split('/').at(-1) ?? ''
    for (const [who, wanted] of [
      [VISITOR, false],
      [await addPerson(db, 'Nina'), true],
    ] as const) {
      await byLink(who, token, wanted)
      expect([await preference(zoe), await about(zoe)]).toEqual([wanted, []])
      expect(Object.values(await choices(zoe))).toEqual(Array(6).fill([wanted, true]))
    }
    for (const wrong of ['', 'guess', token.slice(1)])
      expect(await refusalOf(byLink(VISITOR, wrong, false))).toEqual(notFound('This link doesn’t work'))
  })

  test('is everything until they say otherwise, topic by topic and for each way of being told', async () => {
    const zoe = await addPerson(db, 'Zoe')
    const both = [true, true]
    const all = { messages: both, places: both, money: both, access: both, alerts: both, team: both }
    expect(await choices(zoe)).toEqual(all)
    for (const wanted of [false, false])
      await zoe.sql`select choose_notifications('money', 'mail', ${wanted})`
    await zoe.sql`select choose_notifications('team', 'push', false)`
    expect(await choices(zoe)).toEqual({ ...all, money: [false, true], team: [true, false] })
    await zoe.sql`select choose_notifications('money', 'mail', true)`
    expect(await choices(zoe)).toEqual({ ...all, team: [true, false] })
    expect(await choices(await addPerson(db, 'Marc'))).toEqual(all)
  })

  test('holds for mail from then on, and for what waits', async () => {
    const zoe = await addPerson(db, 'Zoe')
    for (const event of ['payment-due', 'plan-approved']) await tell(zoe, event)
    await zoe.sql`select choose_notifications('money', 'mail', false)`
    expect(await about(zoe)).toEqual(['plan-approved'])
    for (const event of ['payment-returned', 'request-approved']) await tell(zoe, event)
    expect(await about(zoe)).toEqual(['plan-approved', 'request-approved'])
    expect(await zoe.sql`select count(*)::int from user_notifications`).toEqual([{ count: 4 }])
  })

  test.each([
    ['weather', 'mail', true],
    ['money', 'bell', false],
    [null, 'mail', false],
    ['money', 'mail', null],
  ])('cannot be %s by %s: %s', async (topic, channel, wanted) => {
    const zoe = await addPerson(db, 'Zoe')
    expect(await refusalOf(zoe.sql`select choose_notifications(${topic}, ${channel}, ${wanted})`)).toEqual(
      rule('This choice doesn’t exist'),
    )
  })

  test.each([
    [
      'places',
      'place-offered offer-lapsed comes-first seat-ended seat-will-end terms-proposed member-will-leave',
    ],
    ['messages', 'chat-message question-asked'],
    [
      'money',
      `payment-due payment-made payment-failed payment-disputed member-paid member-says-paid owner-owes-you you-owe-member
       owed-settled money-given-back refund-to-wallet renewal-coming payment-debit-coming payment-under-way member-debited withdrawal-returned withdrawal-completed wallet-adjusted
       coins-handed-over contract-withdrawn`,
    ],
    [
      'access',
      'access-given access-reminder access-changed password-due problem-reported problem-with-staff problem-to-decide',
    ],
    [
      'team',
      `plan-approved decision appeal-decided provider-request-approved admin-access-rejected role-given review-waits reviews-shown report-received
       report-decided support-asked support-answered`,
    ],
    ['places', ''],
  ])('finds under %s where people look for it: %s', async (topic, events) => {
    for (const event of events.split(/\s+/))
      expect(await sql`select private.topic_of(${event || null}) as topic`, event).toEqual([{ topic }])
  })
})

test('what happened and its names and numbers are kept in the notification and in its mail', async () => {
  const zoe = await addPerson(db, 'Zoe')
  const params = { amount: 4.4, plan: 'Netflix Premium', owner: 'Olivia', late: false }
  await sql`select private.mail_notification(
    private.notify(${zoe.id}, 'info', null, 'payment-due', ${JSON.stringify(params)}), '{}', '/pay')`
  const kept = [{ event: 'payment-due', params }]
  expect(await zoe.sql`select event, params from user_notifications`).toEqual(kept)
  expect(await sql`select event, params from private.outgoing_mail where recipient = ${zoe.email}`).toEqual(
    kept,
  )
  for (const [event, about] of [
    ['Payment due', '{}'],
    ['payment-due', '[]'],
  ] as const)
    expect(
      await refusalOf(sql`insert into user_notifications (user_id, type, title, message, event, params)
        values (${zoe.id}, 'info', 'Payment due', '€4.40 is due.', ${event}, ${about})`),
    ).toMatchObject({ code: '23514' })
  expect(await refusalOf(sql`select private.notify(${zoe.id}, 'info', null, 'never-named')`)).toMatchObject({
    code: '23502',
  })
})

describe('the queue', () => {
  const write = (subject: string) => sql`select private.send_mail('olivia@potluck.example', ${subject}, 'x')`
  const take = (limit = 10) =>
    sql<{ id: string; attempt: number; subject: string }>`select * from private.lease_due_mails(${limit})`
  const settle = (id: string, attempt: number, error: string | null) =>
    sql`select private.settle_mail(${id}, ${attempt}, ${error}, false)`
  const passLease = () => sql`update private.outgoing_mail set next_attempt_at = clock_timestamp()`

  test('hands each mail to one taker, oldest first, and never more than asked for', async () => {
    for (const subject of ['first', 'second', 'third']) await write(subject)
    expect((await take(2)).map(({ subject }) => subject).sort()).toEqual(['first', 'second'])
    expect((await take(2)).map(({ subject }) => subject)).toEqual(['third'])
    expect(await take()).toEqual([])
  })

  test('hands it out again when the taker was never heard of, and the late one no longer counts', async () => {
    await write('lost')
    const [first] = await take()
    await passLease()
    const [second] = await take()
    expect([first?.attempt, second?.attempt]).toEqual([1, 2])
    await settle(first?.id ?? '', 1, 'too late')
    expect(await sql`select last_error from private.outgoing_mail`).toEqual([{ last_error: null }])
    await settle(first?.id ?? '', 1, null)
    await passLease()
    expect(await take()).toEqual([])
  })

  test('gives up on a mail that no taker survives, and waits at most six hours before', async () => {
    await write('slow')
    await sql`update private.outgoing_mail set attempts = 6`
    const [mail] = await take()
    await settle(mail?.id ?? '', 7, 'away')
    expect(
      await sql`select round(extract(epoch from next_attempt_at - clock_timestamp()) / 60)::float8 as minutes from private.outgoing_mail`,
    ).toEqual([{ minutes: 360 }])
    await sql`update private.outgoing_mail set attempts = 8, next_attempt_at = clock_timestamp()`
    expect(await take()).toEqual([])
    expect(await sql`select given_up_at is not null as over, html from private.outgoing_mail`).toEqual([
      { over: true, html: null },
    ])
  })

  test('gives a mail back by what it speaks of, unless it has gone out', async () => {
    const about = '2b7355a3-0000-4000-8000-000000000001'
    for (const subject of ['gone out', 'waiting'])
      await sql`select private.send_mail('olivia@potluck.example', ${subject}, 'x', array['sub-1', ${about}])`
    await sql`update private.outgoing_mail set sent_at = now() where subject = 'gone out'`
    await sql`select private.cancel_mail(${about})`
    expect(await sql`select subject from private.outgoing_mail`).toEqual([{ subject: 'gone out' }])
  })

  test('is taken from with the service key, which reads no row of it', async () => {
    await write('for the server')
    const ask = (text: string) =>
      asCaller(db, { role: 'service_role', claims: '{"role":"service_role"}' }, [{ text }])
    expect(await ask('select subject from private.lease_due_mails(1)')).toEqual([
      [{ subject: 'for the server' }],
    ])
    await expect(ask('select * from private.outgoing_mail')).rejects.toMatchObject(DENIED)
  })
})

test('what people call themselves is text in a mail: no mark-up, and no variable', async () => {
  const name = `<img src=x onerror=alert(1)> "O'Neil" & {{ .SiteURL }}`
  const zoe = await addPerson(db, 'Zoe')
  await zoe.sql`update user_profiles set language = 'de' where user_id = ${zoe.id}`
  await sql`select private.write_mail(${zoe.email}, ${zoe.id}, 'member-left',
    ${JSON.stringify({ member: name, plan: '{{ .SiteURL }}' })}::jsonb, ${`/${name}`}, '{}', ${`/stop/${name}`})`
  const [mail] = await sql<QueuedMail & Row>`select * from private.lease_due_mails(1)`
  for (const [language, stop] of [
    [null, 'Stop these emails'],
    ['de', 'Diese E-Mails abbestellen'],
  ] as const) {
    const html = mail && (await asSent({ ...mail, language })).html
    // The link as button and as text, and the links to the site, the imprint and unsubscribing.
    expect(html?.match(/https:\/\/potluck\.example/g)).toHaveLength(5)
    expect(html).toContain(stop)
    expect(html).not.toContain('<img')
    expect(html).toContain(
      '&lt;img src=x onerror=alert(1)&gt; &quot;O&#39;Neil&quot; &amp; &#123;&#123; .SiteURL }}',
    )
  }
})
