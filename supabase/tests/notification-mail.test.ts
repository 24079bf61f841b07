// Mail for people who are away: which notifications, when, and how it ends.

import { beforeEach, describe, expect, test } from 'vitest'
import {
  type Asker,
  addPeople,
  addPerson,
  DENIED,
  notFound,
  ownDatabase,
  type Person,
  refusalOf,
} from './people.ts'
import { approve, ask, setTheTable, sharePlan } from './plans.ts'
import { openTill } from './till.ts'

const { db, sql, VISITOR } = await ownDatabase({ sheltered: true })
beforeEach(async () => {
  await sql`delete from private.outgoing_mail`
})

interface Waiting extends Record<string, unknown> {
  subject: string
  html: string
  minutes: number
  unsubscribe_path: string
}
const mailsTo = (person: Person) =>
  sql<Waiting>`select subject, html, unsubscribe_path,
       round(extract(epoch from next_attempt_at - clock_timestamp()) / 60)::float8 as minutes
     from private.outgoing_mail where recipient = ${person.email} and sent_at is null order by created_at`
const subjects = async (person: Person) => (await mailsTo(person)).map(({ subject }) => subject)
const reject = (owner: Person, request: string, planId: string) =>
  owner.sql`select reject_subscription_request(${request}, ${planId})`
const age = (request: string, hours: number) =>
  sql`update subscription_requests set requested_at = now() - ${`${hours} hours`}::interval where id = ${request}`
const passTime = () => sql`select private.run_due_work()`

describe('a mail to somebody who is away', () => {
  test('tells an owner of a request, ten minutes later, with the way to answer', async () => {
    const { olivia, zoe, plan } = await setTheTable(db)
    await sql`delete from private.outgoing_mail`
    await ask(db, zoe, plan)
    const [mail, ...more] = await mailsTo(olivia)
    expect(more).toEqual([])
    expect(mail).toMatchObject({ subject: 'Zoe would like to join Netflix Premium.', minutes: 10 })
    expect(mail?.html).toContain(`{{ .SiteURL }}/manage-shared/${plan.id}`)
    expect(mail?.html).toContain(`{{ .SiteURL }}${mail?.unsubscribe_path}`)
    expect(mail?.unsubscribe_path).toMatch(/^\/unsubscribe\/[0-9a-f]{64}$/)
  })

  test('tells a requester of the answer', async () => {
    const { olivia, zoe, plan } = await setTheTable(db)
    const nina = await addPerson(db, 'Nina')
    await approve(db, plan, await ask(db, zoe, plan))
    await reject(olivia, await ask(db, nina, plan), plan.id)
    const [approved] = await mailsTo(zoe)
    expect(approved?.subject).toBe('Your request to join Netflix Premium has been approved.')
    expect(approved?.html).toContain(`{{ .SiteURL }}/manage-subscribed/${plan.id}`)
    const [rejected] = await mailsTo(nina)
    expect(rejected?.subject).toBe('Your request to join Netflix Premium has been rejected.')
    expect(rejected?.html).toContain('{{ .SiteURL }}/available-subscriptions')
  })

  test('is not sent when it was read meanwhile', async () => {
    const { olivia, zoe, plan } = await setTheTable(db)
    await ask(db, zoe, plan)
    await olivia.sql`select mark_notifications_as_read(${olivia.id})`
    expect(await subjects(olivia)).toEqual([])
  })

  test('is not sent when the request was answered or cancelled meanwhile', async () => {
    const { olivia, zoe, plan } = await setTheTable(db)
    const nina = await addPerson(db, 'Nina')
    await reject(olivia, await ask(db, zoe, plan), plan.id)
    const second = await ask(db, nina, plan)
    await nina.sql`update subscription_requests set status = 'cancelled' where id = ${second}`
    expect(await subjects(olivia)).toEqual([])
  })

  test('is not sent when the plan it leads to was cancelled meanwhile; one that leads elsewhere is', async () => {
    const { olivia, zoe, plan } = await setTheTable(db)
    const nina = await addPerson(db, 'Nina')
    await approve(db, plan, await ask(db, zoe, plan))
    await zoe.sql`delete from subscription_members where user_id = ${zoe.id}`
    await reject(olivia, await ask(db, nina, plan), plan.id)
    await olivia.sql`delete from shared_subscriptions where id = ${plan.id}`
    expect(await subjects(zoe)).toEqual([])
    expect(await subjects(nina)).toEqual(['Your request to join Netflix Premium has been rejected.'])
  })

  test('leads to the payments where money goes back for a plan that is cancelled, and nowhere that is gone', async () => {
    const till = await openTill(db)
    const [olivia, mia] = [await till.payer('Olivia'), await till.payer('Mia')]
    const plan = await till.share(olivia)
    await till.enter(mia, plan)
    await till.work()
    await olivia.sql`delete from shared_subscriptions where id = ${plan.id}`
    const [back, ...others] = await mailsTo(mia)
    expect([back?.subject, others]).toEqual([
      expect.stringMatching(/^€5\.50 of your payment for Netflix Premium goes back/),
      [],
    ])
    expect(back?.html).toContain('/payments"')
  })

  test('is not written to an account without an address, and stands in the way of nothing', async () => {
    const { olivia, zoe, plan } = await setTheTable(db)
    await sql`delete from private.outgoing_mail`
    await sql`update auth.users set email = null where id = ${olivia.id}`
    const request = await ask(db, zoe, plan)
    await age(request, 43)
    await passTime()
    expect(await sql`select recipient from private.outgoing_mail where ${request} = any (about)`).toEqual([])
    await approve(db, plan, request)
  })

  test('goes with the account it was for', async () => {
    const [olivia, zoe] = await addPeople(db, ['Olivia', 'Zoe'])
    await ask(db, zoe, await sharePlan(db, olivia))
    expect(await subjects(olivia)).toHaveLength(1)
    await sql`delete from auth.users where id = ${olivia.id}`
    expect(await subjects(olivia)).toEqual([])
  })
})

describe('a request about to expire', () => {
  test('its owner is told and mailed once, when 6 hours are left by the clock of the database', async () => {
    const { olivia, zoe, plan } = await setTheTable(db)
    const request = await ask(db, zoe, plan)
    await sql`delete from private.outgoing_mail`
    await age(request, 41.9)
    await passTime()
    expect(await subjects(olivia)).toEqual([])
    await age(request, 42)
    await passTime()
    await passTime()
    const sentence =
      'Zoe still waits for your answer about Netflix Premium. The request expires within 6 hours.'
    expect(await subjects(olivia)).toEqual([sentence])
    expect(
      await sql`select type, message from user_notifications where user_id = ${olivia.id} and title = 'Request Expiring Soon'`,
    ).toEqual([{ type: 'warning', message: sentence }])
  })

  test('nobody is reminded of one that is over, and one that expires calls its mail back', async () => {
    const { olivia, zoe, plan } = await setTheTable(db)
    const nina = await addPerson(db, 'Nina')
    const expired = await ask(db, zoe, plan)
    await age(expired, 43)
    await passTime()
    await age(expired, 48)
    await passTime()
    expect((await subjects(olivia)).filter((subject) => subject.includes('still waits'))).toEqual([])
    const rejected = await ask(db, nina, plan)
    await age(rejected, 43)
    await reject(olivia, rejected, plan.id)
    await passTime()
    expect(await subjects(olivia)).toEqual([])
  })
})

describe('who wants no mail', () => {
  const preference = async (person: Person) => {
    const [row] = await person.sql<{ on: boolean }>`select get_mail_preference() as on`
    return row?.on
  }
  const byLink = (who: Asker, token: string, on: boolean) =>
    who.sql`select set_mail_preference_by_link(${token}, ${on})`

  test('says so once, and what waits is called back', async () => {
    const { olivia, marc, zoe, plan } = await setTheTable(db)
    await ask(db, zoe, plan)
    expect(await preference(olivia)).toBe(true)
    await olivia.sql`select set_mail_preference(false)`
    expect(await preference(olivia)).toBe(false)
    expect(await preference(marc)).toBe(true)
    expect(await subjects(olivia)).toEqual([])
    await ask(db, await addPerson(db, 'Nina'), plan)
    expect(await subjects(olivia)).toEqual([])
    await olivia.sql`select set_mail_preference(true)`
    await ask(db, await addPerson(db, 'Omar'), plan)
    expect(await subjects(olivia)).toEqual(['Omar would like to join Netflix Premium.'])
  })

  test('may say so signed out, by the link of a mail, and take it back', async () => {
    const { olivia, zoe, plan } = await setTheTable(db)
    await ask(db, zoe, plan)
    const [mail] = await mailsTo(olivia)
    const token = mail?.unsubscribe_path.split('/').at(-1) ?? ''
    await byLink(VISITOR, token, false)
    expect([await preference(olivia), await subjects(olivia)]).toEqual([false, []])
    await byLink(zoe, token, true)
    expect(await preference(olivia)).toBe(true)
    for (const wrong of ['', 'guess', token.slice(1)])
      expect(await refusalOf(byLink(VISITOR, wrong, false))).toEqual(notFound('This link is not known'))
  })

  test('cannot read or change what others want', async () => {
    const { zoe } = await setTheTable(db)
    for (const who of [zoe, VISITOR])
      for (const statement of [
        'select * from private.unsubscribe_links',
        'select * from private.unwanted_notifications',
        'select * from private.expiry_reminders',
        'select private.tell_expiring_requests()',
        'select private.unsubscribe_path(gen_random_uuid())',
      ])
        expect(await refusalOf(who.run(statement)), statement).toMatchObject(DENIED)
    for (const statement of [
      'select get_mail_preference()',
      'select set_mail_preference(false)',
      'select get_notification_choices()',
      `select choose_notifications('money', 'mail', false)`,
    ])
      expect(await refusalOf(VISITOR.run(statement)), statement).toMatchObject(DENIED)
  })
})

describe('what a person chooses', () => {
  const choices = async (person: Person) =>
    Object.fromEntries(
      (
        await person.sql<{
          topic: string
          mail: boolean
          push: boolean
        }>`select * from get_notification_choices()`
      ).map(({ topic, mail, push }) => [topic, [mail, push]]),
    )
  const tell = (person: Person, event: string | null) =>
    sql`select private.mail_notification(
      private.notify(${person.id}, 'info', 'Told', ${`About ${event}`}, null, ${event}), '{}', 'Open', '/')`

  test('is everything until they say otherwise, topic by topic and for each way of being told', async () => {
    const zoe = await addPerson(db, 'Zoe')
    const all = {
      messages: [true, true],
      places: [true, true],
      money: [true, true],
      access: [true, true],
      team: [true, true],
    }
    expect(await choices(zoe)).toEqual(all)
    await zoe.sql`select choose_notifications('money', 'mail', false)`
    await zoe.sql`select choose_notifications('money', 'mail', false)`
    await zoe.sql`select choose_notifications('team', 'push', false)`
    expect(await choices(zoe)).toEqual({ ...all, money: [false, true], team: [true, false] })
    await zoe.sql`select choose_notifications('money', 'mail', true)`
    expect(await choices(zoe)).toEqual({ ...all, team: [true, false] })
    expect(await choices(await addPerson(db, 'Marc'))).toEqual(all)
  })

  test('holds for mail from then on, and for what waits', async () => {
    const zoe = await addPerson(db, 'Zoe')
    await tell(zoe, 'payment-due')
    await tell(zoe, 'problem-fixed')
    await zoe.sql`select choose_notifications('money', 'mail', false)`
    expect(await subjects(zoe)).toEqual(['About problem-fixed'])
    await tell(zoe, 'refund-to-wallet')
    await tell(zoe, null)
    expect(await subjects(zoe)).toEqual(['About problem-fixed', 'About null'])
    expect(await zoe.sql`select count(*)::int from user_notifications`).toEqual([{ count: 4 }])
  })

  test('the link of a mail ends the mails about everything, and nothing else', async () => {
    const zoe = await addPerson(db, 'Zoe')
    await tell(zoe, 'payment-due')
    const [mail] = await mailsTo(zoe)
    const token = mail?.unsubscribe_path.split('/').at(-1) ?? ''
    await sql`select set_mail_preference_by_link(${token}, false)`
    expect(Object.values(await choices(zoe))).toEqual(Array(5).fill([false, true]))
    await sql`select set_mail_preference_by_link(${token}, true)`
    expect(Object.values(await choices(zoe))).toEqual(Array(5).fill([true, true]))
  })

  test('is refused where there is nothing like it', async () => {
    const zoe = await addPerson(db, 'Zoe')
    for (const [topic, channel, wanted] of [
      ['weather', 'mail', true],
      ['money', 'bell', false],
      [null, 'mail', false],
      ['money', 'mail', null],
    ])
      expect(await refusalOf(zoe.sql`select choose_notifications(${topic}, ${channel}, ${wanted})`)).toEqual({
        code: '23514',
        message: 'There is nothing like this to choose',
      })
  })

  test('covers each event where people look for it', async () => {
    const topics: Record<string, string> = {
      places:
        'place-offered offer-lapsed comes-first seat-ended seat-will-end terms-proposed member-will-leave',
      messages: 'chat-message question-asked',
      money: `payment-due payment-made payment-failed payment-disputed member-paid member-says-paid owner-owes-you you-owe-member
        owed-settled money-given-back refund-to-wallet renewal-coming withdrawal-returned withdrawal-approved wallet-adjusted coins-handed-over`,
      access:
        'access-given access-reminder access-changed password-due problem-reported problem-with-staff problem-to-decide',
      team: `plan-approved plan-rejected provider-request-approved admin-access-rejected review-waits reviews-shown review-hidden
        report-read`,
    }
    for (const [topic, events] of Object.entries(topics))
      for (const event of events.split(/\s+/))
        expect(await sql`select private.topic_of(${event}) as topic`, event).toEqual([{ topic }])
    expect(await sql`select private.topic_of(null) as topic`).toEqual([{ topic: 'places' }])
  })
})

test('what happened and its names and numbers are kept beside the English text, in the notification and in its mail', async () => {
  const zoe = await addPerson(db, 'Zoe')
  const params = { amount: 4.4, plan: 'Netflix Premium' }
  const tell = (event: string | null, about: string) => sql`select private.mail_notification(
    private.notify(${zoe.id}, 'info', 'Payment due', '4.40 EUR is due.', null, ${event}, ${about}::jsonb), '{}', 'Pay', '/pay')`
  await tell('payment-due', JSON.stringify(params))
  expect(await zoe.sql`select event, params from user_notifications`).toEqual([
    { event: 'payment-due', params },
  ])
  expect(await sql`select event, params from private.outgoing_mail where recipient = ${zoe.email}`).toEqual([
    { event: 'payment-due', params },
  ])
  for (const [event, about] of [
    ['Payment due', '{}'],
    ['payment-due', '[]'],
  ] as const)
    expect(await refusalOf(tell(event, about))).toMatchObject({ code: '23514' })
})
