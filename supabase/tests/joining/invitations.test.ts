// Invitations, which reserve a place for a person by email: the owners who may invite, the invited person's rights, and
// that no other person gets the place.
// Proves PLAN 14, REQ 02, VALID 14
import { beforeEach, describe, expect, test } from 'vitest'
import { invitationsIn } from '../invitations.ts'
import { leftInEnglish } from '../mail-words.ts'
import {
  addPeople,
  addPerson,
  denied,
  notFound,
  ownDatabase,
  type Person,
  refusalOf,
  rule,
  taken,
} from '../people.ts'
import { approve, ask, found, join, type SharedPlan, setTheTable } from '../plans.ts'

const { db, sql, VISITOR } = await ownDatabase()
const { invite, mailTo, invited, accept, decline, withdraw, look, passDays } = invitationsIn(db)

let olivia: Person
let marc: Person
let zoe: Person
let plan: SharedPlan
beforeEach(async () => {
  ;({ olivia, marc, zoe, plan } = await setTheTable(db))
  await sql`delete from private.outgoing_mail`
})

const counts = async () =>
  (
    await sql`select current_members as members, kept_places as kept from shared_subscriptions where id = ${plan.id}`
  )[0]
const set = (change: string) => db.query(`update shared_subscriptions set ${change} where id = $1`, [plan.id])
const toldOf = (person: Person) =>
  person.sql`select type, title, message from user_notifications where title like 'Invitation%'`
const KEPT = rule('The last places are reserved')
const CLOSED = rule('This plan takes no new members right now')
const UNKNOWN = notFound('Invitation not found')
const over = (how: string) => rule(`This invitation has already been ${how}`)

describe('inviting', () => {
  test('stores the invitation for 7 days and mails the link, of which only a hash is kept', async () => {
    const id = await invite(plan, '  Nina.New@Example.com ')
    const { said, token } = await mailTo('nina.new@example.com')
    expect(said?.subject).toBe('Olivia invites you to share Netflix Premium')
    expect(token).toMatch(/^[0-9a-f]{64}$/)
    expect(said?.sentences[1]).toContain('€5.00 a month, paid to Olivia directly, no fee')
    expect(await leftInEnglish(db)).toEqual([])
    const [row] = await sql`select email, subscription_id, invited_by, mail_status,
      expires_at - created_at = interval '7 days' as a_week,
      token_hash = encode(sha256(convert_to(${token}, 'UTF8')), 'hex') as hashed from subscription_invitations where id = ${id}`
    expect(row).toEqual({
      ...{ email: 'nina.new@example.com', subscription_id: plan.id, invited_by: olivia.id },
      ...{ mail_status: 'waiting', a_week: true, hashed: true },
    })
  })

  test('writes neither invitation nor mail when it is undone', async () => {
    const work = db.transaction(async (tx) => {
      await tx.query(`select set_config('request.jwt.claims', $1, true)`, [olivia.caller.claims])
      await tx.query(
        `insert into public.payment_wishes (user_id, kind, note) values (auth.uid(), 'text', 'Cash')`,
      )
      await tx.query('select public.invite_member($1, $2)', [plan.id, 'undone@example.com'])
      throw new Error('undone')
    })
    await expect(work).rejects.toThrow('undone')
    expect((await mailTo('undone@example.com')).said).toBeUndefined()
    expect(await sql`select 1 from subscription_invitations where subscription_id = ${plan.id}`).toEqual([])
  })

  test('refuses oneself and members in any case of letters, a plan that is not active, and who is not its owner', async () => {
    expect(await refusalOf(invite(plan, olivia.email.toUpperCase()))).toEqual(
      rule('You cannot invite yourself'),
    )
    expect(await refusalOf(invite(plan, marc.email.toUpperCase()))).toEqual(taken('Already a Member'))
    expect(await refusalOf(invite({ ...plan, owner: marc }, 'nina@example.com'))).toEqual(
      denied("Only the plan's owner can invite people"),
    )
    await set(`status = 'pending'`)
    expect(await refusalOf(invite(plan, 'nina@example.com'))).toEqual(CLOSED)
  })

  test.each([
    ['nothing', ''],
    ['blanks', ' \t\u00a0\u3000'],
    ['no at-sign', 'marc.example'],
    ['two at-signs', 'a@b@c.example'],
    ['no domain', 'marc@'],
    ['two lines', 'a@b.example\nBcc: c@d.example'],
    ['two addresses', 'a@b.example, c@d.example'],
    ['a letter that looks like another', 'm\u0430rc@potluck.example'],
    ['too long an address', `${'x'.repeat(245)}@b.example`],
  ])('refuses %s for an address', async (_what, email) => {
    expect(await refusalOf(invite(plan, email))).toEqual(rule('Valid email is required'))
  })

  test('sends ten an hour at most', async () => {
    for (let sent = 0; sent < 10; sent += 1) await invite(plan, 'again@example.com')
    expect(await refusalOf(invite(plan, 'again@example.com'))).toMatchObject({ code: 'PT429' })
  })

  test('sending again replaces the link and the mail, and keeps one place', async () => {
    const first = await invited(plan, zoe)
    await passDays(first.id, 3)
    const second = await invited(plan, zoe)
    expect(second.token).not.toBe(first.token)
    expect(await sql`select 1 from private.outgoing_mail where recipient = ${zoe.email}`).toHaveLength(1)
    expect(await counts()).toEqual({ members: 2, kept: 1 })
    expect(await refusalOf(accept(zoe, first.token))).toEqual(over('withdrawn'))
    await accept(zoe, second.token)
    expect(await counts()).toEqual({ members: 3, kept: 0 })
  })

  test('an address has one invitation to a plan that is not over', async () => {
    const insert = (email: string, hash: string) =>
      sql`insert into subscription_invitations (subscription_id, email, invited_by, token_hash) values (${plan.id}, ${email}, ${olivia.id}, ${hash})`
    await insert('nina@example.com', 'a')
    expect(await refusalOf(insert('nina@example.com', 'b'))).toMatchObject({ code: '23505' })
    expect(await refusalOf(insert('Nina@Example.com', 'c'))).toMatchObject({ code: '23514' })
  })
})

test('the link tells a visitor what its mail says while the invitation is open, and then only how it ended', async () => {
  const peek = (token: string) => VISITOR.sql`select * from get_invitation(${token})`
  const { id, token } = await invited(plan, zoe)
  expect(await peek(token)).toMatchObject([
    {
      ...{ status: 'open', email: zoe.email, owner_name: 'Olivia', provider: 'Netflix', name: 'Premium' },
      ...{ member_price: '5.00', currency: 'EUR', billing_cycle: 'monthly', settlement: 'direct' },
    },
  ])
  await withdraw(olivia, id)
  const [end] = await peek(token)
  const { status, expires_at, ...rest } = end ?? {}
  expect([status, Object.values(rest).every((value) => value === null)]).toEqual(['withdrawn', true])
  for (const unknown of ['guess', token.slice(1), '']) expect(await refusalOf(peek(unknown))).toEqual(UNKNOWN)
})

describe('answering', () => {
  test('shows the invited person the plan and makes them a member, without any coins', async () => {
    const { token } = await invited(plan, zoe)
    expect(await look(zoe, token)).toEqual([
      { status: 'open', provider: 'Netflix', name: 'Premium', member_price: '5.00', owner_name: 'Olivia' },
    ])
    expect(await accept(zoe, token)).toEqual([{ accept_invitation: plan.id }])
    expect(await counts()).toEqual({ members: 3, kept: 0 })
    expect(await sql`select name from subscription_members where user_id = ${zoe.id}`).toEqual([
      { name: 'Zoe' },
    ])
    expect(await toldOf(olivia)).toEqual([
      { type: 'success', title: 'Invitation Accepted', message: 'Zoe has joined Netflix Premium.' },
    ])
    expect(await sql`select 1 from coin_transactions where user_id = ${olivia.id}`).toEqual([])
    for (const again of [accept, decline])
      expect(await refusalOf(again(zoe, token))).toEqual(over('accepted'))
  })

  test('answers the request of the same person', async () => {
    const request = await ask(db, zoe, plan)
    await accept(zoe, (await invited(plan, zoe)).token)
    expect(await sql`select status from subscription_requests where id = ${request}`).toEqual([
      { status: 'approved' },
    ])
  })

  test('is for the invited address alone, once it is confirmed, whoever holds the link', async () => {
    const { id, token } = await invited(plan, zoe)
    const NOT_YOURS = denied('This invitation was sent to another email address')
    for (const who of [marc, olivia])
      for (const attempt of [look, accept, decline])
        expect(await refusalOf(attempt(who, token))).toEqual(NOT_YOURS)
    await sql`update auth.users set email_confirmed_at = null where id = ${zoe.id}`
    expect(await refusalOf(accept(zoe, token))).toEqual(NOT_YOURS)
    expect(await refusalOf(withdraw(marc, id))).toEqual(UNKNOWN)
    for (const who of [marc, olivia, zoe]) expect(await refusalOf(look(who, id))).toEqual(UNKNOWN)
  })

  test('works for an address that had no account when it was invited', async () => {
    await invite(plan, 'Fresh@Example.com')
    const { token } = await mailTo('fresh@example.com')
    const fresh = await addPerson(db, 'Fresh')
    await sql`update auth.users set email = 'fresh@example.com' where id = ${fresh.id}`
    await accept(fresh, token)
    expect(await counts()).toEqual({ members: 3, kept: 0 })
  })

  test('with yes is refused once the plan is not active', async () => {
    const { token } = await invited(plan, zoe)
    await set(`status = 'rejected'`)
    expect(await refusalOf(accept(zoe, token))).toEqual(CLOSED)
    await decline(zoe, token)
  })
})

test('owners see whom they invited and how the mail fares, and people their own', async () => {
  await invite(plan, zoe.email)
  const emails = async (person: Person) =>
    (await person.sql`select email, mail_status from subscription_invitations`).map((row) =>
      Object.values(row),
    )
  const settle = async (error: string | null) => {
    await sql`update private.outgoing_mail set attempts = attempts + 1`
    await sql`select private.settle_mail(id, attempts, ${error}, false) from private.outgoing_mail`
    return emails(olivia)
  }
  expect(await emails(olivia)).toEqual([[zoe.email, 'waiting']])
  expect(await settle('451 later')).toEqual([[zoe.email, 'delayed']])
  expect(await settle(null)).toEqual([[zoe.email, 'sent']])
  await invite(plan, 'other@example.com')
  expect(await emails(zoe)).toEqual([[zoe.email, 'sent']])
  expect(await emails(marc)).toEqual([])
})

describe('a kept place', () => {
  let nina: Person
  let omar: Person
  let ofNina: { id: string; token: string }
  let ofOmar: { id: string; token: string }
  // Two of the four places are taken by members, and two are reserved for invited people.
  beforeEach(async () => {
    ;[nina, omar] = await addPeople(db, ['Nina', 'Omar'])
    ofNina = await invited(plan, nina)
    ofOmar = await invited(plan, omar)
  })

  test('counts for asking, for approving, for inviting and for closing slots', async () => {
    await withdraw(olivia, ofNina.id)
    const request = await ask(db, zoe, plan)
    await invite(plan, 'a@example.com')
    expect(await refusalOf(approve(db, plan, request))).toEqual(KEPT)
    expect(await refusalOf(ask(db, await addPerson(db, 'Yara'), plan))).toEqual(KEPT)
    expect(await refusalOf(invite(plan, 'c@example.com'))).toEqual(KEPT)
    const close = olivia.sql`update shared_subscriptions set owner_max_members = 3 where id = ${plan.id}`
    expect(await refusalOf(close)).toEqual(rule('Cannot set less than 4 members (joined or invited).'))
  })

  test('is told to whoever looks at the plan, but for the one it is kept for', async () => {
    const kept = async (...people: Person[]) =>
      Promise.all(people.map(async (person) => (await found(person, 'p_full => true')).get(plan.id)?.kept))
    expect(await kept(zoe, nina)).toEqual([2, 1])
    await withdraw(olivia, ofNina.id)
    expect(await kept(zoe, nina)).toEqual([1, 1])
    await passDays(ofOmar.id, 7)
    expect(await kept(zoe)).toEqual([0])
  })

  test('is counted on the plan as it comes and goes, and when its time is over at the next minute', async () => {
    expect(await counts()).toEqual({ members: 2, kept: 2 })
    await withdraw(olivia, ofNina.id)
    expect(await counts()).toEqual({ members: 2, kept: 1 })
    await accept(nina, (await invited(plan, nina)).token)
    expect(await counts()).toEqual({ members: 3, kept: 1 })
    await passDays(ofOmar.id, 7)
    await sql`select private.run_due_work()`
    expect(await counts()).toEqual({ members: 3, kept: 0 })
  })

  test('is for its person, who may also ask and be approved', async () => {
    await approve(db, plan, await ask(db, nina, plan))
    expect(await counts()).toEqual({ members: 3, kept: 1 })
    expect(await look(nina, ofNina.token)).toMatchObject([{ status: 'accepted' }])
    expect((await mailTo(nina.email)).said).toBeUndefined()
  })

  test('is free again when withdrawn, declined or expired, and only then', async () => {
    await withdraw(olivia, ofNina.id)
    await decline(nina, (await invited(plan, nina)).token)
    expect(await toldOf(olivia)).toEqual([
      {
        ...{ type: 'info', title: 'Invitation Declined' },
        message: `${nina.email} has declined your invitation to Netflix Premium.`,
      },
    ])
    await join(db, zoe, plan)
    expect(await refusalOf(invite(plan, 'late@example.com'))).toEqual(KEPT)
    await passDays(ofOmar.id, 7)
    await invite(plan, 'late@example.com')
    expect(await refusalOf(accept(omar, ofOmar.token))).toEqual(rule('This invitation has expired'))
  })

  test('and its mail end with the invitation that is withdrawn, and with the plan', async () => {
    await withdraw(olivia, ofNina.id)
    expect((await mailTo(nina.email)).said).toBeUndefined()
    expect(await refusalOf(withdraw(olivia, ofNina.id))).toEqual(over('withdrawn'))
    expect((await mailTo(omar.email)).said).toBeDefined()
    await olivia.sql`delete from shared_subscriptions where id = ${plan.id}`
    expect((await mailTo(omar.email)).said).toBeUndefined()
    expect(await refusalOf(look(omar, ofOmar.token))).toEqual(UNKNOWN)
  })
})
