// A person's profile: the initial name of an account, the rules for its contents, and the readers of each part.
// Proves PROFILE 02 05 06, DATA 08, API 34
import { expect, test } from 'vitest'
import { columnOf, DENIED, denied, expectRefusal, rule, single } from '../answers.ts'
import { invitationsIn } from '../invitations.ts'
import { addPeople, addPerson, ownDatabase, type Person } from '../people.ts'
import { join, sharePlan } from '../plans.ts'
import { BLANK, FAMILY, MEGABYTE, ZERO_WIDTH } from '../texts.ts'

const { db, sql } = await ownDatabase()
const olivia = await addPerson(db, 'Olivia')
const nina = await addPerson(db, 'Nina')

const APPEARANCE = 'select display_name, avatar_url from user_profiles where user_id = $1'

test.each([
  ['zoe.d', { name: 'Zoe' }, 'Zoe', false],
  ['qd', { full_name: 'Quinn Day' }, 'Quinn Day', false],
  ['quinn', { name: '\u200b', full_name: 'Quinn' }, 'Quinn', false],
  ['lea.day+plans', {}, 'lea.day+plans', true],
  ['ana', { name: ' POT LUCK ' }, 'ana', true],
  ['potluck.support', {}, 'Unknown', true],
  ['y'.repeat(100), {}, 'y'.repeat(80), true],
])(
  'an account of %s@… and %o comes with a profile named %s',
  async (part, metadata, display_name, unconfirmed) => {
    const [id] = await columnOf(sql`insert into auth.users (email, raw_user_meta_data)
    values (${`${part}@names.example`}, ${JSON.stringify(metadata)}::jsonb) returning id`)
    expect(await nina.run(APPEARANCE, [id ?? null])).toEqual([{ display_name, avatar_url: null }])
    expect(
      await columnOf(sql`select name_unconfirmed from user_profiles where user_id = ${String(id)}`),
    ).toEqual([unconfirmed])
  },
)

test('the language of an account is that of its sign-up, until its person chooses another, for the auth service too', async () => {
  const zoe = await addPerson(db, 'Zoe')
  const languages = () => sql`select p.language, u.raw_user_meta_data ->> 'language' as told
    from auth.users as u join user_profiles as p on p.user_id = u.id where u.email in ('li@potluck.example', ${zoe.email}) order by 1`
  await sql`insert into auth.users (email, raw_user_meta_data) values ('li@potluck.example', '{"language": "it"}')`
  expect(await languages()).toEqual([
    { language: 'it', told: 'it' },
    { language: null, told: null },
  ])
  await zoe.sql`update user_profiles set language = 'fr' where user_id = ${zoe.id}`
  expect(await languages()).toEqual([
    { language: 'fr', told: 'fr' },
    { language: 'it', told: 'it' },
  ])
  const [odd] = await sql`insert into auth.users (email, raw_user_meta_data)
    values ('odd@potluck.example', '{"name": "Odd", "language": "<b>"}') returning id`
  expect(
    await sql`select display_name, language from user_profiles where user_id = ${String(odd?.id)}`,
  ).toEqual([{ display_name: 'Odd', language: null }])
})

test('a name longer than a profile holds does not stop a sign-up', async () => {
  await sql`insert into auth.users (email, raw_user_meta_data) values
    ('long@potluck.example', jsonb_build_object('name', repeat('x', 5000), 'avatar_url', 'https://y.example/' || repeat('y', 5000)))`
  expect(
    await sql`select length(display_name) as name, length(avatar_url) as avatar
      from user_profiles where display_name like 'xx%'`,
  ).toEqual([{ name: 80, avatar: null }])
})

test.each([
  ['https://lh3.googleusercontent.com/a/photo=s96-c', true],
  ['/avatars/avatar-3.png', true],
  ...[
    'http://pictures.example/a.png',
    'javascript:alert(1)',
    '//evil.example/a.png',
    '/avatars/../a.png',
  ].map((address): [string, boolean] => [address, false]),
  ['https://me@evil.example/a.png', false],
])('a picture at %s: %s', async (address, isOne) => {
  const zoe = await addPerson(db, 'Zoe')
  const change = zoe.sql`update user_profiles set avatar_url = ${address} where user_id = ${zoe.id}`
  if (isOne) await change
  else
    await expectRefusal(change, rule('Please choose a picture of this site, or one at an https:// address'))
  const [other] = await sql<{ id: string }>`insert into auth.users (email, raw_user_meta_data) values
    (${`p${Math.random()}@potluck.example`}, jsonb_build_object('avatar_url', ${address}::text)) returning id`
  expect(await sql`select avatar_url from user_profiles where user_id = ${other?.id}`).toEqual([
    { avatar_url: isOne ? address : null },
  ])
})

test('a person changes the own profile and no other, and its date follows', async () => {
  await sql`update private.user_profiles set created_at = '2020-01-01' where user_id = ${nina.id}`
  const change = `update user_profiles set display_name = 'Zo', full_name = 'Zoe Day', phone_number = '030/123 456, evenings',
    avatar_url = '/avatars/avatar-3.png', updated_at = '2001-01-01' where user_id = $1
    returning display_name, avatar_url, updated_at > now() - interval '1 minute' as dated`
  const changed = { display_name: 'Zo', avatar_url: '/avatars/avatar-3.png', dated: true }
  expect(await nina.run(change, [nina.id])).toEqual([changed])
  expect(await nina.run(change, [olivia.id])).toEqual([])
})

test('somebody without a name is called by the first part of their address wherever others meet them', async () => {
  const [ana, ben] = await addPeople(db, ['Ana', 'Ben'])
  await sql`update user_profiles set display_name = null where user_id = ${ana.id}`
  const part = ana.email.split('@')[0]
  const plan = await sharePlan(db, olivia)
  const own = await sharePlan(db, ana, { catalogueId: 'spotify-premium-family' })
  await join(db, ben, own)
  const { token } = await invitationsIn(db).invited(plan, ana)
  const chat = await single(ana.sql`select find_or_create_conversation(${own.id}, ${ana.id}, ${ben.id})`)
  for (const way of [
    `insert into shared_subscriptions (catalogue_plan_id, next_payment) values ('netflix-premium', current_date + 30)`,
    `insert into subscription_requests (subscription_id) values ('${plan.id}')`,
    `select ask_question('${plan.id}', 'Is it in 4K?')`,
    `select accept_invitation('${token}')`,
    `insert into payment_wishes (kind, note) values ('text', 'Cash')`,
    `select invite_member('${own.id}', 'new@potluck.example')`,
    `select announce_to_members('${own.id}', 'Hello')`,
    `insert into messages (conversation_id, content) values ('${chat}', 'Hello')`,
  ])
    await ana.run(way)
  expect(
    await columnOf(olivia.sql`select name from subscription_requests where user_id = ${ana.id}`),
  ).toEqual([part])
  expect(await columnOf(olivia.sql`select name from subscription_members where user_id = ${ana.id}`)).toEqual(
    [part],
  )
  expect(await columnOf(sql`select owner from shared_subscriptions where owner_id = ${ana.id}`)).toEqual([
    part,
    part,
  ])
  expect(await ben.run(APPEARANCE, [ana.id])).toEqual([{ display_name: part, avatar_url: null }])
})

test('a picture that a provider gives is kept', async () => {
  const zoe = await addPerson(db, 'Zoe')
  const change = (avatar: string) =>
    zoe.sql`update user_profiles set avatar_url = ${avatar} where user_id = ${zoe.id}`
  await sql`update auth.users set raw_app_meta_data = '{"provider":"email"}' where id = ${zoe.id}`
  await change('/avatars/avatar-1.png')
  await sql`update auth.users set raw_app_meta_data = '{"provider":"google"}' where id = ${zoe.id}`
  await change('/avatars/avatar-1.png')
  await expectRefusal(
    change('/avatars/avatar-2.png'),
    denied('Your picture comes from your sign-in service.'),
  )
})

test('a first save makes the row, with the phone number, for oneself only', async () => {
  const zoe = await addPerson(db, 'Zoe')
  const gone = await addPerson(db, 'Gone')
  await sql`delete from user_profiles where user_id in (${zoe.id}, ${gone.id})`
  const save = `insert into user_profiles (user_id, display_name, full_name, phone_number)
    values ($1, 'Zoe', 'Zoe Day', '+4930123456')`
  await zoe.run(save, [zoe.id])
  await expectRefusal(zoe.run(save, [gone.id]), DENIED)
  const details = (person: Person) =>
    person.sql`select full_name, phone_number from user_profiles where full_name is not null or phone_number is not null`
  expect(await details(zoe)).toEqual([{ full_name: 'Zoe Day', phone_number: '+4930123456' }])
  expect(await details(olivia)).toEqual([])
  await zoe.sql`update user_profiles set full_name = null, phone_number = null where user_id = ${zoe.id}`
  expect(await details(zoe)).toEqual([])
})

test('simultaneous changes of different columns all stay', async () => {
  const zoe = await addPerson(db, 'Zoe')
  const changes = {
    ...{ display_name: 'Zo', full_name: 'Zoe Day', phone_number: '+4930123456' },
    ...{ avatar_url: '/avatars/avatar-3.png', language: 'fr' },
  }
  await Promise.all(
    Object.entries(changes).map(([column, value]) =>
      zoe.run(`update user_profiles set ${column} = $1 where user_id = $2`, [value, zoe.id]),
    ),
  )
  expect(await zoe.sql`select * from user_profiles where user_id = ${zoe.id}`).toMatchObject([changes])
})

test('what today’s rules would refuse does not stand in the way of other changes', async () => {
  const zoe = await addPerson(db, 'Zoe')
  await sql`alter table private.user_profiles disable trigger guard`
  await sql`update private.user_profiles set display_name = 'Potluck' where user_id = ${zoe.id}`
  await sql`alter table private.user_profiles enable trigger guard`
  await zoe.sql`update user_profiles set language = 'fr', display_name = 'Potluck' where user_id = ${zoe.id}`
  await expectRefusal(zoe.sql`update user_profiles set avatar_url = 'x' where user_id = ${zoe.id}`, THE_SITE)
})

const UNREADABLE = rule('Please enter a name people can read')
const THE_SITE = rule('This name is reserved. Please choose another one.')
const TOO_LONG = { code: '23514' }

test.each([
  ['display_name', 'a long name', 'x'.repeat(81), TOO_LONG],
  ['display_name', 'a megabyte', MEGABYTE, TOO_LONG],
  ['display_name', 'a NUL', 'Ni\0na', { code: '22021' }],
  ['display_name', 'nothing', '', UNREADABLE],
  ['full_name', 'nothing', '', UNREADABLE],
  ['full_name', 'a long name', 'x'.repeat(121), TOO_LONG],
  ['full_name', 'a name that turns its direction', 'Nina \u202eanin', UNREADABLE],
  ['display_name', 'blanks', BLANK, UNREADABLE],
  ['display_name', 'zero-width characters', ZERO_WIDTH, UNREADABLE],
  ['display_name', 'fillers', '\u3164\u2800\u115f', UNREADABLE],
  ['display_name', 'marks', '\u0301\u20dd', UNREADABLE],
  ['display_name', 'tags', '\u{e0020}\u{e0041}\u{e0100}', UNREADABLE],
  ['display_name', 'vowels nobody sees', '\u17b4\u180b', UNREADABLE],
  ['display_name', 'a zero-width space', 'Ni\u200bna', UNREADABLE],
  ['display_name', 'a name that turns its direction', 'Nina \u202eanin', UNREADABLE],
  ['display_name', 'direction marks', '\u200e\u200f', UNREADABLE],
  ['display_name', 'a line break', 'Nina\nPaid', UNREADABLE],
  ['display_name', 'a bell', 'Nina\u0007', UNREADABLE],
  ...[
    ' pot luck ',
    'P.o.t-l_u c k',
    'Pótlück',
    'ｐｏｔｌｕｃｋ',
    'P0tIuck',
    'Роtluсk',
    '\u{1d40f}otluck',
    'potluck❤',
  ]
    .concat('Potluck Support', 'The Potluck Team', 'Official Potluck')
    .map((name) => ['display_name', name, name, THE_SITE] as const),
  ['phone_number', 'a long text', '1'.repeat(41), TOO_LONG],
  ['avatar_url', 'a long address', 'x'.repeat(501), TOO_LONG],
  ['user_id', 'another id', olivia.id, DENIED],
] as const)('the %s of a profile is refused with %s', async (column, _what, value, refusal) => {
  const change = `update user_profiles set ${column} = $1 where user_id = $2`
  await expectRefusal(nina.run(change, [value, nina.id]), refusal)
})

test.each([
  ...['Zoë', 'Đặng Thị Hà', 'محمد', 'क्षितिज', '山田 太郎', `Zo ${FAMILY}`, 'O’Neil-Smith Jr.', 'X'],
  ...['Luck Potter', 'Potluckson', 'x'.repeat(80)],
])('somebody may be called %s', async (name) => {
  const change =
    'update user_profiles set display_name = $1, full_name = $1 where user_id = $2 returning display_name'
  expect(await nina.run(change, [name, nina.id])).toEqual([{ display_name: name }])
})

test.each([
  ['phone_number', '+49 (0)30 123456 ext. 7'],
  ['phone_number', 'ask my neighbour'],
  ['phone_number', '1'.repeat(40)],
  ['full_name', 'x'.repeat(120)],
  ['avatar_url', `https://a.example/${'x'.repeat(482)}`],
])('the %s may be %s', async (column, value) => {
  const change = `update user_profiles set ${column} = $1 where user_id = $2 returning user_id`
  expect(await nina.run(change, [value, nina.id])).toHaveLength(1)
})
