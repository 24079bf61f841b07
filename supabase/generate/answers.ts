// Describes the JSON results of promised functions and columns, because the database's system catalogue does not.
import type { Schema } from './promise.ts'
import { keysOf } from './schema-texts.ts'
import type { SchemaFile } from './schemas.ts'

const KINDS: Record<string, Schema> = {
  text: { type: 'string' },
  currency: { type: 'string', pattern: '^[A-Z]{3}$' },
  id: { type: 'string', format: 'uuid' },
  time: { type: 'string', format: 'date-time' },
  day: { type: 'string', format: 'date' },
  count: { type: 'integer' },
  euros: { type: 'number' },
  number: { type: 'number' },
  truth: { type: 'boolean' },
  level: { type: 'string', enum: ['new', 'proven', 'trusted'] },
}

/**
 * Parses `kind: text` into a schema. The kind is one of {@link KINDS}, or a list of values separated by `|`; with a `?`
 * after it, the value can be null.
 */
function one(spec: string): Schema {
  const [, kind = '', nullable, text = ''] = /^(.+?)(\?)?: (.+)$/.exec(spec) ?? []
  const schema = KINDS[kind] ?? { type: 'string', enum: kind.split('|') }
  const description = kind === 'euros' ? `${text} In EUR.` : text
  return nullable ? orNull({ ...schema, description }) : { ...schema, description }
}

const orNull = (schema: Schema): Schema => ({
  ...schema,
  ...(schema.type && { type: [schema.type, 'null'].flat() }),
  ...(schema.enum && { enum: [...schema.enum, null] }),
})

type Fields = Record<string, string | Schema>
const schemaOf = (spec: string | Schema) => (typeof spec === 'string' ? one(spec) : spec)

/** Returns the schema of an object with these fields. Fields whose names end with `?` can be missing. */
const object = (description: string, fields: Fields): Schema => ({
  type: 'object',
  description,
  properties: Object.fromEntries(
    Object.entries(fields).map(([name, spec]) => [name.replace('?', ''), schemaOf(spec)]),
  ),
  required: Object.keys(fields).filter((name) => !name.endsWith('?')),
})
const list = (description: string, of: Fields | string): Schema => ({
  type: 'array',
  description,
  items: typeof of === 'string' ? one(of) : object('One of them.', of),
})

/** Returns the schema of a list of objects, which may have other fields than these as well. */
const open = (description: string, of: Fields): Schema => ({
  type: 'array',
  description,
  items: { ...object('One of them.', of), additionalProperties: true },
})

const SETTLEMENT = 'direct|potluck: How it is paid: to the owner, or through the site.'
const CURRENCY = 'currency: The currency by ISO 4217: EUR, or that of an own plan.'
const cost: Fields = { since: 'time: From when.', cost: 'euros: A month.' }

const TASK: Fields = {
  kind: 'text: What is to do, such as `answer-request` or `pay`. There can be new kinds.',
  id: 'id?: The id of what it is about: a request, place, payment, problem, proposal or invitation.',
  planId: 'text?: The id of the plan.',
  provider: 'text?: The company that sells it.',
  plan: 'text?: Provider and plan.',
  person: 'text?: The name of the other person.',
  avatarUrl: 'text?: The address of their picture.',
  amount: 'number?: How much it is about.',
  currency: CURRENCY,
  dueAt: 'time?: Until when, or since when a payment is due.',
  lostAt: 'time?: When something is lost if nothing happens.',
}

const ACCOUNT = 'card|wallet|connected|direct: Where the money was.'
const MOVED: Fields = {
  account: ACCOUNT,
  currency: CURRENCY,
  kind: 'text: What kind of movement it was.',
  part: 'fee?: What of it was the fee of the site.',
  amount: 'number: What came, or went if it is negative.',
}

const LIST_OF_NUMBERS = (description: string): Schema => list(description, 'number: Of one quarter.')

/** Returns the schemas of answers, by function, or by table and column. Comments in the SQL describe a card's keys. */
export const answersIn = (files: SchemaFile[]): Record<string, Schema> => ({
  market_plans: list('Plans, in order.', keysOf(files, 'market_cards')),
  market_plan: orNull(
    object('The plan, or null if you cannot find it.', {
      ...keysOf(files, 'market_cards'),
      offered: 'truth: False while nobody new can join plans of this provider.',
      quote: object('What a place costs.', {
        settlement: SETTLEMENT,
        billingCycle: 'monthly|yearly|months: How often the provider bills.',
        cycleMonths: 'count?: Of an own plan, how many months one payment covers.',
        currency: CURRENCY,
        share: 'number: To the owner, a month or, of an own plan, a cycle.',
        fee: 'number: To the site, a month.',
        sum: 'number: Both together.',
        first: 'number?: Of an own plan, what the days left of the current cycle cost.',
        year: 'euros?: Of a yearly plan, its twelve months together.',
        instalments: orNull(
          list('Of a yearly plan, what each of its twelve months costs.', 'euros: One month.'),
        ),
        vat: 'truth: Whether the fee includes VAT.',
        provider: 'text?: What cards are paid with: `stripe` or `simulated`.',
        seller: orNull(
          object('How the owner shares, by their own declaration; null if they have made none.', {
            isTrader: 'truth: Whether they are a trader, and members have the rights of consumers.',
            name: 'text?: A trader’s name.',
            address: 'text?: Their address.',
            email: 'text?: Their email address.',
            numbers: 'text?: Their register and VAT number.',
          }),
        ),
      }),
      prices: object('What it cost before, oldest first.', {
        place: list('A place.', cost),
        alone: list('The plan without sharing it.', cost),
      }),
    }),
  ),
  my_home: object('All of it.', {
    tasks: list('What waits for your answer, most urgent first.', TASK),
    awaited: list('What you wait for others to do.', TASK),
    plans: list('Your plans.', {
      id: 'text: The id of the plan.',
      provider: 'text: The company that sells it.',
      plan: 'text: Provider and plan.',
      isOwner: 'truth: Whether it is yours.',
      people: list('The owner or, if it is yours, the members.', {
        id: 'id: Their id.',
        name: 'text: Their name.',
        avatarUrl: 'text?: The address of their picture.',
      }),
      places: 'count?: If it is yours: the places for others.',
      next: orNull(
        object('Your next payment for a place.', {
          settlement: SETTLEMENT,
          amount: 'number: How much.',
          currency: CURRENCY,
          dueAt: 'time: When.',
        }),
      ),
    }),
    saved: object('What sharing has saved you this year.', {
      joined: 'euros: As a member.',
      shared: 'euros: As an owner.',
    }),
    steps: orNull(
      object('How far you have come, before your first place or member.', {
        hasAsked: 'truth: You have asked for a place.',
        hasCard: 'truth: You have a card.',
        takesCards: 'truth: The site takes cards.',
        planId: 'text?: The id of your newest plan.',
        settlement: 'direct|potluck?: How it is paid.',
        hasWish: 'truth: You have said how you want to be paid.',
        hasInvited: 'truth: You have invited somebody to it, or somebody has asked.',
      }),
    ),
  }),
  approve_subscription_request: object('The new member.', {
    id: 'id: The id of the membership.',
    user_id: 'id: The id of the person.',
    name: 'text: Their name.',
    email: 'text: Their address.',
    is_owner: 'truth: Always false.',
    is_admin: 'truth: Whether they run the site.',
    displayName: 'text: Their name.',
    avatarUrl: 'text?: The address of their picture.',
  }),
  yearly_statement: object('The statement.', {
    year: 'count: Which year.',
    until: 'day: Its last day or, this year, today.',
    zone: 'text: The time zone it is counted in, by its IANA name.',
    since: 'count: The first year there can be.',
    operator: 'text?: Who runs the site.',
    name: 'text?: The name of the person.',
    language: 'text?: The language of the person.',
    accounts: list('Where money was.', {
      account: ACCOUNT,
      currency: CURRENCY,
      opening: 'euros?: What was there at the beginning.',
      closing: 'euros?: What was there at the end.',
      moved: 'number: All that came, less what went.',
    }),
    sums: list('The sums of each kind.', MOVED),
    rows: list('Everything that moved, oldest first.', {
      ...MOVED,
      at: 'time: When.',
      about: 'text: What for, in words.',
    }),
    reported: orNull(
      object('What a tax office is told of it.', {
        consideration: LIST_OF_NUMBERS('What was earned, in EUR.'),
        fees: LIST_OF_NUMBERS('What fees the site kept, in EUR.'),
        activities: LIST_OF_NUMBERS('How often something was earned.'),
        state: 'ready|missing|abroad: Whether it has all details.',
      }),
    ),
  }),
  // Staff may add other fields.
  'service_provider_data.data': open('The providers.', {
    id: 'text: Its id.',
    name: 'text: Its name.',
    'website?': 'text: Its address.',
    'category?': 'text: What kind of service it sells.',
    plans: open('What it sells.', {
      'id?': 'text: Its id, to share it with: `catalogue_plan_id`.',
      name: 'text: Its name.',
      price: {
        type: ['number', 'object'],
        description: 'Per cycle, in EUR; or by region, `europe` being the one that counts.',
      },
      'cycle?': 'monthly|yearly: How often it is billed; monthly if not said.',
      maxMembers: 'count: The people its price covers.',
      'description?': 'text: What it is.',
    }),
  }),
})
