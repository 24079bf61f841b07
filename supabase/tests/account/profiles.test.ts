// How a person appears: the initial name of an account, what may be written there, and who can read what of it.
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
  ['after its person', { name: 'Zoe' }, 'Zoe'],
  ['as a new member without a name, never after the address', {}, 'New member'],
  ['as their provider calls them', { full_name: 'Quinn Day' }, 'Quinn Day'],
  ['by the first of their names that is one', { name: '\u200b', full_name: 'Quinn' }, 'Quinn'],
  ['not as the site', { name: ' POT LUCK ' }, 'New member'],
])('an account comes with a profile named %s', async (how, metadata, display_name) => {
  const ids = sql`insert into auth.users (email, raw_user_meta_data)
    values (${`${how.replaceAll(/\W/g, '.')}@potluck.example`}, ${JSON.stringify(metadata)}::jsonb) returning id`
  expect(await nina.run(APPEARANCE, await columnOf(ids))).toEqual([{ display_name, avatar_url: null }])
})

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
  const change = `update user_profiles set display_name = 'Zo', full_name = 'Zoe Day', phone_number = '+4930123456',
    avatar_url = '/avatars/avatar-3.png', updated_at = '2001-01-01' where user_id = $1
    returning display_name, avatar_url, updated_at > now() - interval '1 minute' as dated`
  const changed = { display_name: 'Zo', avatar_url: '/avatars/avatar-3.png', dated: true }
  expect(await nina.run(change, [nina.id])).toEqual([changed])
  expect(await nina.run(change, [olivia.id])).toEqual([])
})

test('whoever others are about to see says first what they are called, and does not take it back', async () => {
  const [ana, ben] = await addPeople(db, ['Ana', 'Ben'])
  const plan = await sharePlan(db, olivia)
  const own = await sharePlan(db, ana, { catalogueId: 'spotify-premium-family' })
  await join(db, ben, own)
  const { token } = await invitationsIn(db).invited(plan, ana)
  const chat = await single(ana.sql`select find_or_create_conversation(${own.id}, ${ana.id}, ${ben.id})`)
  await sql`update user_profiles set display_name = null where user_id = ${ana.id}`
  const ways = [
    `insert into shared_subscriptions (catalogue_plan_id, next_payment) values ('netflix-premium', current_date + 30)`,
    `insert into subscription_requests (subscription_id) values ('${plan.id}')`,
    `select ask_question('${plan.id}', 'Is it in 4K?')`,
    `select accept_invitation('${token}')`,
    `select invite_member('${own.id}', 'new@potluck.example')`,
    `select announce_to_members('${own.id}', 'Hello')`,
    `insert into messages (conversation_id, content) values ('${chat}', 'Hello')`,
  ]
  const nameless = { code: 'PT428', message: 'Please add your name first.' }
  for (const way of ways) await expectRefusal(ana.run(way), nameless)
  const callMe = (name: string | null) =>
    ana.sql`update user_profiles set display_name = ${name} where user_id = ${ana.id}`
  await callMe('Ana')
  for (const way of ways) await ana.run(way)
  for (const none of [null, 'New member']) await expectRefusal(callMe(none), rule('Please enter your name'))
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
const NO_PHONE = rule('Please enter a phone number with its country code, like +4930123456')
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
  ['phone_number', 'a number without its country', '030123456', NO_PHONE],
  ['phone_number', 'spaces', '+49 30 123456', NO_PHONE],
  ['phone_number', 'a country that is none', '+0301234567', NO_PHONE],
  ['phone_number', 'too few digits', '+493012', NO_PHONE],
  ['phone_number', 'too many digits', '+1234567890123456', NO_PHONE],
  ['phone_number', 'two lines', '+4930123456\n', NO_PHONE],
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
  ['phone_number', '+4930123'],
  ['phone_number', '+123456789012345'],
  ['full_name', 'x'.repeat(120)],
  ['avatar_url', `https://a.example/${'x'.repeat(482)}`],
])('the %s may be %s', async (column, value) => {
  const change = `update user_profiles set ${column} = $1 where user_id = $2 returning user_id`
  expect(await nina.run(change, [value, nina.id])).toHaveLength(1)
})
