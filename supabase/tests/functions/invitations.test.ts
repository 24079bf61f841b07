// Keeping a place for somebody by e-mail: who may, what they get, and that a kept place is never given away.

import { describe, expect, test } from 'vitest'
import { testDatabase } from '../../../server/test/harness.ts'
import {
  type Asker,
  addPeople,
  addPerson,
  DENIED,
  denied,
  notFound,
  type Person,
  refusalOf,
  rule,
  statements,
  taken,
  visitor,
} from '../people.ts'
import { approve, ask, join, type SharedPlan, setTheTable, sharePlan } from '../plans.ts'

const db = await testDatabase()
const { sql } = statements(db)
const VISITOR = visitor(db)

const invite = async (owner: Person, plan: SharedPlan, email: string) => {
  const [row] = await owner.sql<{ id: string }>`select invite_member(${plan.id}, ${email}) as id`
  return row?.id ?? ''
}
/** The invitation that waits to be mailed to an address, and the secret in its link. */
const mailTo = async (email: string) => {
  const [mail] = await sql<{ subject: string; html: string }>`select subject, html from private.outgoing_mail
     where recipient = ${email} and sent_at is null and html like '%/invitation/%'`
  return { ...mail, token: /\/invitation\/([0-9a-f]+)/.exec(mail?.html ?? '')?.[1] ?? '' }
}
const invited = async (owner: Person, plan: SharedPlan, person: Person) => {
  const id = await invite(owner, plan, person.email)
  return { id, ...(await mailTo(person.email)) }
}
const accept = (person: Person, token: string) => person.sql`select accept_invitation(${token})`
const decline = (person: Person, token: string) => person.sql`select decline_invitation(${token})`
const withdraw = (person: Person, id: string) => person.sql`select withdraw_invitation(${id})`
const look = (person: Person, token: string) =>
  person.sql`select status, provider, name, member_price, owner_name from get_invitation(${token})`
const passDays = (id: string, days: number) =>
  sql`update subscription_invitations set created_at = created_at - ${`${days} days`}::interval, expires_at = expires_at - ${`${days} days`}::interval where id = ${id}`
const membersOf = async ({ id }: SharedPlan) =>
  (await sql`select current_members from shared_subscriptions where id = ${id}`)[0]?.current_members
const toldOf = (person: Person) =>
  sql`select type, title, message from user_notifications where user_id = ${person.id} and title like 'Invitation%'`

describe('inviting', () => {
  test('stores the invitation for 7 days and mails the link, of which only a hash is kept', async () => {
    const { olivia, plan } = await setTheTable(db)
    const id = await invite(olivia, plan, '  Nina.New@Example.com ')
    const { subject, html, token } = await mailTo('nina.new@example.com')
    expect(subject).toBe('Olivia invites you to share Netflix Premium')
    expect(token).toMatch(/^[0-9a-f]{64}$/)
    expect(html).toContain(`{{ .SiteURL }}/invitation/${token}`)
    expect(html).toContain('€5.50 a month')
    const [row] =
      await sql`select email, subscription_id, invited_by, mail_status, expires_at - created_at = interval '7 days' as a_week,
         token_hash = encode(sha256(convert_to(${token}, 'UTF8')), 'hex') as hashed from subscription_invitations where id = ${id}`
    expect(row).toEqual({
      email: 'nina.new@example.com',
      subscription_id: plan.id,
      invited_by: olivia.id,
      mail_status: 'waiting',
      a_week: true,
      hashed: true,
    })
  })

  test('writes neither invitation nor mail when it is refused', async () => {
    const { olivia, plan } = await setTheTable(db)
    const work = db.transaction(async (tx) => {
      await tx.query(`select set_config('request.jwt.claims', $1, true)`, [olivia.caller.claims])
      await tx.query('select public.invite_member($1, $2)', [plan.id, 'undone@example.com'])
      throw new Error('undone')
    })
    await expect(work).rejects.toThrow('undone')
    expect((await mailTo('undone@example.com')).html).toBeUndefined()
    expect(await sql`select 1 from subscription_invitations where subscription_id = ${plan.id}`).toEqual([])
  })

  test('puts a name into the mail as text', async () => {
    const trudy = await addPerson(db, '<a href="https://evil.example">Trudy</a>')
    const plan = await sharePlan(db, trudy)
    await invite(trudy, plan, 'careful@example.com')
    const { html } = await mailTo('careful@example.com')
    expect(html).not.toContain('<a href="https://evil')
    expect(html).toContain('&lt;a href=&quot;https://evil.example&quot;&gt;')
  })

  test('is for the owner alone', async () => {
    const { marc, zoe, plan } = await setTheTable(db)
    for (const who of [marc, zoe])
      expect(await refusalOf(invite(who, plan, 'nina@example.com'))).toEqual(
        denied("Only the plan's owner invites people"),
      )
    expect(
      await refusalOf(VISITOR.sql`select invite_member(${plan.id}, ${'nina@example.com'})`),
    ).toMatchObject(DENIED)
    expect(await refusalOf(invite(zoe, { ...plan, id: 'sub-none' }, 'nina@example.com'))).toEqual(
      notFound('Subscription not found'),
    )
  })

  test('needs an e-mail address', async () => {
    const { olivia, plan } = await setTheTable(db)
    const wrong = [
      '',
      '   ',
      'nina',
      'nina@example',
      'a@b@example.com',
      'a b@example.com',
      'a,b@example.com',
      'nina@example.com\nbcc: all@example.com',
      '"nina"@example.com',
      `${'n'.repeat(250)}@example.com`,
    ]
    for (const email of wrong)
      expect(await refusalOf(invite(olivia, plan, email)), email).toEqual(rule('Valid email is required'))
    expect(await refusalOf(olivia.sql`select invite_member(${plan.id}, null)`)).toMatchObject({
      message: 'Valid email is required',
    })
  })

  test('refuses oneself and whoever is a member, in any case of letters', async () => {
    const { olivia, marc, plan } = await setTheTable(db)
    expect(await refusalOf(invite(olivia, plan, olivia.email.toUpperCase()))).toEqual(
      rule('You cannot invite yourself'),
    )
    expect(await refusalOf(invite(olivia, plan, marc.email.toUpperCase()))).toEqual(taken('Already a Member'))
  })

  test('refuses for a plan that is not active', async () => {
    const { olivia, plan } = await setTheTable(db)
    await sql`update shared_subscriptions set status = 'pending' where id = ${plan.id}`
    expect(await refusalOf(invite(olivia, plan, 'nina@example.com'))).toEqual(
      rule('This plan is not open to new members'),
    )
  })

  test('sends ten an hour at most', async () => {
    const olivia = await addPerson(db, 'Olivia')
    const plan = await sharePlan(db, olivia)
    for (let sent = 0; sent < 10; sent += 1) await invite(olivia, plan, 'again@example.com')
    expect(await refusalOf(invite(olivia, plan, 'again@example.com'))).toMatchObject({ code: 'PT429' })
  })

  test('sending again replaces the link and the mail, and keeps one place', async () => {
    const { olivia, plan } = await setTheTable(db)
    const nina = await addPerson(db, 'Nina')
    const first = await invited(olivia, plan, nina)
    await passDays(first.id, 3)
    const second = await invited(olivia, plan, nina)
    expect(second.token).not.toBe(first.token)
    const mails = await sql`select 1 from private.outgoing_mail where recipient = ${nina.email}`
    expect(mails).toHaveLength(1)
    expect(await refusalOf(accept(nina, first.token))).toEqual(
      rule('This invitation has already been withdrawn'),
    )
    await accept(nina, second.token)
    expect(await membersOf(plan)).toBe(3)
  })
})

describe('a kept place', () => {
  // Two members of four places, and two invited.
  const fillTheTable = async () => {
    const table = await setTheTable(db)
    const [nina, omar] = (await addPeople(db, ['Nina', 'Omar'])) as [Person, Person]
    const ofNina = await invited(table.olivia, table.plan, nina)
    const ofOmar = await invited(table.olivia, table.plan, omar)
    return { ...table, nina, omar, ofNina, ofOmar }
  }
  const KEPT = rule('Every open place is kept for somebody who is invited')

  test('counts for asking, for approving, for inviting and for closing slots', async () => {
    const { olivia, zoe, plan } = await setTheTable(db)
    const request = await ask(db, zoe, plan)
    for (const email of ['a@example.com', 'b@example.com']) await invite(olivia, plan, email)
    expect(await refusalOf(approve(db, plan, request))).toEqual(KEPT)
    const yara = await addPerson(db, 'Yara')
    expect(await refusalOf(ask(db, yara, plan))).toEqual(KEPT)
    expect(await refusalOf(invite(olivia, plan, 'c@example.com'))).toEqual(KEPT)
    const close = 'update shared_subscriptions set owner_max_members = 3 where id = $1'
    expect(await refusalOf(olivia.run(close, [plan.id]))).toEqual(
      rule('Cannot set less than 4 members (joined or invited).'),
    )
  })

  test('is told to whoever looks at the plan, but for the one it is kept for', async () => {
    const { olivia, zoe, nina, plan, ofNina, ofOmar } = await fillTheTable()
    const kept = async (person: Asker) =>
      person.sql`select subscription_id, kept from count_kept_places(${`{${plan.id},sub-unknown}`})`
    const places = (kept: number) => [{ subscription_id: plan.id, kept }]
    expect(await kept(zoe)).toEqual(places(2))
    expect(await kept(nina)).toEqual(places(1))
    await withdraw(olivia, ofNina.id)
    expect(await kept(zoe)).toEqual(places(1))
    expect(await kept(nina)).toEqual(places(1))
    await sql`update shared_subscriptions set status = 'pending' where id = ${plan.id}`
    expect(await kept(zoe)).toEqual([])
    await sql`update shared_subscriptions set status = 'active' where id = ${plan.id}`
    await passDays(ofOmar.id, 7)
    expect(await kept(zoe)).toEqual([])
    expect(await refusalOf(kept(VISITOR))).toMatchObject(DENIED)
  })

  test('is for its person, who may also ask and be approved', async () => {
    const { nina, plan, ofNina } = await fillTheTable()
    await approve(db, plan, await ask(db, nina, plan))
    expect(await membersOf(plan)).toBe(3)
    expect(await look(nina, ofNina.token)).toMatchObject([{ status: 'accepted' }])
    expect((await mailTo(nina.email)).html).toBeUndefined()
  })

  test('is free again when withdrawn, declined or expired, and only then', async () => {
    const { olivia, zoe, nina, omar, plan, ofNina, ofOmar } = await fillTheTable()
    await withdraw(olivia, ofNina.id)
    const third = await invited(olivia, plan, nina)
    await decline(nina, third.token)
    expect(await toldOf(olivia)).toEqual([
      {
        type: 'info',
        title: 'Invitation Declined',
        message: `${nina.email} has declined your invitation to Netflix Premium.`,
      },
    ])
    await join(db, zoe, plan)
    expect(await refusalOf(invite(olivia, plan, 'late@example.com'))).toEqual(KEPT)
    await passDays(ofOmar.id, 7)
    await invite(olivia, plan, 'late@example.com')
    expect(await refusalOf(accept(omar, ofOmar.token))).toEqual(rule('This invitation has expired'))
  })

  test('a withdrawn invitation is not mailed any more', async () => {
    const { olivia, plan } = await setTheTable(db)
    const id = await invite(olivia, plan, 'never@example.com')
    await withdraw(olivia, id)
    expect((await mailTo('never@example.com')).html).toBeUndefined()
    expect(await refusalOf(withdraw(olivia, id))).toEqual(rule('This invitation has already been withdrawn'))
  })

  test('goes with its plan, and so does the mail', async () => {
    const { olivia, nina, plan, ofNina } = await fillTheTable()
    await olivia.sql`delete from shared_subscriptions where id = ${plan.id}`
    expect((await mailTo(nina.email)).html).toBeUndefined()
    expect(await refusalOf(look(nina, ofNina.token))).toEqual(notFound('Invitation not found'))
  })
})

describe('answering', () => {
  test('shows the invited person the plan and makes them a member, without any coins', async () => {
    const { olivia, plan } = await setTheTable(db)
    const nina = await addPerson(db, 'Nina')
    const { token } = await invited(olivia, plan, nina)
    expect(await look(nina, token)).toEqual([
      { status: 'open', provider: 'Netflix', name: 'Premium', member_price: '5.00', owner_name: 'Olivia' },
    ])
    expect(await accept(nina, token)).toEqual([{ accept_invitation: plan.id }])
    expect(await membersOf(plan)).toBe(3)
    expect(await nina.sql`select name from subscription_members where user_id = ${nina.id}`).toEqual([
      { name: 'Nina' },
    ])
    expect(await toldOf(olivia)).toEqual([
      { type: 'success', title: 'Invitation Accepted', message: 'Nina has joined Netflix Premium.' },
    ])
    expect(await sql`select 1 from coin_transactions where user_id = ${olivia.id}`).toEqual([])
    for (const again of [accept, decline])
      expect(await refusalOf(again(nina, token))).toEqual(rule('This invitation has already been accepted'))
  })

  test('answers the request of the same person', async () => {
    const { olivia, zoe, plan } = await setTheTable(db)
    const request = await ask(db, zoe, plan)
    await accept(zoe, (await invited(olivia, plan, zoe)).token)
    expect(await sql`select status from subscription_requests where id = ${request}`).toEqual([
      { status: 'approved' },
    ])
  })

  test('is for the invited address alone, whoever holds the link', async () => {
    const { olivia, marc, zoe, plan } = await setTheTable(db)
    const { id, token } = await invited(olivia, plan, zoe)
    for (const who of [marc, olivia])
      for (const attempt of [look, accept, decline])
        expect(await refusalOf(attempt(who, token))).toEqual(
          denied('This invitation was sent to another e-mail address'),
        )
    await sql`update auth.users set email_confirmed_at = null where id = ${zoe.id}`
    expect(await refusalOf(accept(zoe, token))).toMatchObject(DENIED)
    expect(await refusalOf(VISITOR.sql`select accept_invitation(${token})`)).toMatchObject(DENIED)
    expect(await refusalOf(withdraw(marc, id))).toEqual(notFound('Invitation not found'))
    expect(await refusalOf(look(marc, 'guess'))).toEqual(notFound('Invitation not found'))
  })

  test('works for an address that had no account when it was invited', async () => {
    const { olivia, plan } = await setTheTable(db)
    await invite(olivia, plan, 'Fresh@Example.com')
    const { token } = await mailTo('fresh@example.com')
    const fresh = await addPerson(db, 'Fresh')
    await sql`update auth.users set email = 'fresh@example.com' where id = ${fresh.id}`
    await accept(fresh, token)
    expect(await membersOf(plan)).toBe(3)
  })

  test('is refused once the plan is not active', async () => {
    const { olivia, zoe, plan } = await setTheTable(db)
    const { token } = await invited(olivia, plan, zoe)
    await sql`update shared_subscriptions set status = 'rejected' where id = ${plan.id}`
    expect(await refusalOf(accept(zoe, token))).toMatchObject({
      message: 'This plan is not open to new members',
    })
    await decline(zoe, token)
  })
})

describe('who sees invitations', () => {
  test('owners whom they invited, people their own, and never the token', async () => {
    const { olivia, marc, zoe, plan } = await setTheTable(db)
    await invite(olivia, plan, zoe.email)
    await invite(olivia, plan, 'other@example.com')
    const emails = (person: Person) => person.sql`select email from subscription_invitations order by email`
    expect(await emails(olivia)).toEqual([{ email: 'other@example.com' }, { email: zoe.email }])
    expect(await emails(zoe)).toEqual([{ email: zoe.email }])
    expect(await emails(marc)).toEqual([])
    expect(await refusalOf(VISITOR.sql`select email from subscription_invitations`)).toMatchObject(DENIED)
    const token = 'select token_hash from subscription_invitations'
    expect(await refusalOf(olivia.run(token))).toMatchObject(DENIED)
    for (const write of [
      `update subscription_invitations set accepted_at = now()`,
      `delete from subscription_invitations`,
      `insert into subscription_invitations (subscription_id, email, invited_by, token_hash) values ('x', 'a@b.de', gen_random_uuid(), 'h')`,
    ])
      expect(await refusalOf(olivia.run(write)), write).toMatchObject(DENIED)
  })

  test('the owner sees how the mail fares', async () => {
    const { olivia, plan } = await setTheTable(db)
    await invite(olivia, plan, 'nina@example.com')
    const settle = async (error: string | null) => {
      await sql`update private.outgoing_mail set attempts = attempts + 1 where recipient = 'nina@example.com'`
      await sql`select private.settle_mail(id, attempts, ${error}, false) from private.outgoing_mail where recipient = 'nina@example.com' and sent_at is null`
      return olivia.sql`select mail_status from subscription_invitations`
    }
    expect(await settle('451 later')).toEqual([{ mail_status: 'delayed' }])
    expect(await settle(null)).toEqual([{ mail_status: 'sent' }])
    await sql`delete from private.outgoing_mail where recipient = 'nina@example.com'`
  })
})

test('an address has one invitation to a plan that is not over', async () => {
  const { olivia, plan } = await setTheTable(db)
  const insert = (email: string, hash: string) =>
    sql`insert into subscription_invitations (subscription_id, email, invited_by, token_hash) values (${plan.id}, ${email}, ${olivia.id}, ${hash})`
  await insert('nina@example.com', 'a')
  expect(await refusalOf(insert('nina@example.com', 'b'))).toMatchObject({ code: '23505' })
  expect(await refusalOf(insert('Nina@Example.com', 'c'))).toMatchObject({ code: '23514' })
})
