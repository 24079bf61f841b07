// Reading files exported from other services, including malformed ones.
import { expect, test } from 'vitest'
import { languages } from '#lib/language.ts'
import { decode, type ImportedRow, Unreadable } from './row.ts'
import { readSpliit } from './spliit.ts'
import { readSplitwise, readTable, template } from './tables.ts'
import { readWallos } from './wallos.ts'

/** The fields of a row that the tests compare, in one line. */
const line = ({
  name,
  price,
  currency,
  unit,
  every,
  date,
  payer,
  people,
  kind,
  entries,
  places,
  invite,
  dates,
  rule,
  parts,
  unsteady,
  website,
  note,
}: ImportedRow) =>
  [
    `${name}: ${price} ${currency}`,
    kind ?? (unit ? `${every} ${unit}` : 'once'),
    ...[
      dates.length > 0 ? `${dates.join(' or ')}?` : date,
      payer && `by ${payer}`,
      people.length > 0 && `with ${people.join()}`,
      rule !== 'equal' && [rule, parts.join()].filter(Boolean).join(' '),
      entries > 1 && `x${entries}`,
      unsteady && 'unsteady',
    ],
    ...[people.length === 0 && places && `${places} places`, invite.join(' '), website, note],
  ]
    .filter(Boolean)
    .join(' | ')

const SPLIIT = {
  ...{ name: 'Flat', currency: '€', currencyCode: 'EUR' },
  participants: ['Ana', 'Ben', 'Cleo'].map((name) => ({ id: name[0], name })),
  expenses: [
    expense('Netflix', '2026-09-03', 1799, { recurrenceRule: 'MONTHLY' }),
    expense('Netflix', '2026-10-03', 1999, { recurrenceRule: 'MONTHLY' }),
    expense('Spotify März 2026', '2026-03-01', 2199, {
      splitMode: 'BY_PERCENTAGE',
      paidFor: shares(5000, 5000, 0),
    }),
    expense('Spotify April', '2026-04-01', 2199, { paidFor: shares(5000, 5000, 0), paidById: 'B' }),
    expense('Pizza', '2026-04-02', 3000),
    expense('Disney', '2026-05-01', 1500, {
      originalAmount: '1399',
      originalCurrency: 'USD',
      recurrenceRule: 'MONTHLY',
    }),
    expense('Ben paid back', '2026-05-02', 500, { isReimbursement: true }),
    expense('Netflix refund', '2026-06-02', -500),
    expense('Gym', '2026-01-05', 2000),
    expense('Gym', '2026-01-12', 2000),
    expense('Gym', '2026-01-19', 2000),
  ],
}
function expense(title: string, day: string, amount: number, more: object = {}) {
  const base = {
    id: title,
    createdAt: day,
    splitMode: 'EVENLY',
    paidFor: shares(100, 100, 100),
    isReimbursement: false,
  }
  return {
    ...base,
    title,
    expenseDate: `${day}T00:00:00.000Z`,
    amount,
    paidById: 'A',
    recurrenceRule: 'NONE',
    ...more,
  }
}
function monthly(title: string, more: object) {
  return expense(title, '2026-11-01', 1000, { recurrenceRule: 'MONTHLY', ...more })
}
function shares(...each: number[]) {
  return each.map((one, index) => ({ participantId: 'ABC'[index], shares: one }))
}

const SPLITWISE = [
  'Datum,Beschreibung,Kategorie,Kosten,Währung,"Ana B.",Ben,Cleo',
  '',
  '2026-01-31,Netflix,Unterhaltung,19.99,EUR,15.00,-5.00,-9.99',
  '2026-02-28,Netflix,Unterhaltung,"19,99",EUR,15.00,-5.00,-9.99',
  '2026-02-28,iCloud,Allgemein,9.99,USD,-3.33,6.66,-3.33',
  '2026-03-28,iCloud,Allgemein,9.99,USD,-3.33,6.66,-3.33',
  '2026-03-02,Rent,Miete,"1,200.00",EUR,800.00,-400.00,-400.00',
  '2026-03-03,Ben hat Ana bezahlt,Zahlung,5.00,EUR,-5.00,5.00,0.00',
  '2026-03-04,Taxi for Cleo,Allgemein,12.00,EUR,12.00,0.00,-12.00',
  '2026-03-30,Gesamtsaldo, , ,EUR,30.00,-10.00,-20.00',
]

const subscription = (name: string, more: object) => ({
  ...{
    name,
    price: 9.99,
    currency_id: 2,
    next_payment: '2026-12-01',
    cycle: 3,
    frequency: 1,
    payer_user_name: 'Ana',
    inactive: 0,
  },
  ...more,
})
const WALLOS = [
  JSON.stringify({
    success: true,
    title: 'currencies',
    main_currency: 2,
    currencies: [
      { id: 2, code: 'EUR', symbol: '€' },
      { id: 7, code: 'USD' },
    ],
  }),
  JSON.stringify({
    success: true,
    title: 'subscriptions',
    subscriptions: [
      subscription('Netflix', { price: 19.99 }),
      subscription('Old', { inactive: 1 }),
      subscription('Adobe', { currency_id: 7, cycle: '4' }),
      subscription('Water', { cycle: 2, frequency: 3, payer_user_name: null, next_payment: null }),
    ],
  }),
]

const TABLE =
  '\u{FEFF}Every;Service;Price;Currency;Invite;Renews\r\nmonth;"Netflix; the big one";"1.019,99";€;a@x.org, b@x.org;24.12.2026\r\n12 months;Tidal;;;;\r\n3 weeks;Wine;12;usd;;'

test.each<[string, ImportedRow[], string[]]>([
  [
    'a Spliit group',
    readSpliit(JSON.stringify(SPLIIT)),
    [
      'Netflix: 19.99 EUR | 1 month | 2026-10-03 | by Ana | with Ana,Ben,Cleo | x2',
      'Spotify April: 21.99 EUR | 1 month | 2026-04-01 | by Ben | with Ana,Ben | x2',
      'Pizza: 30 EUR | once | 2026-04-02 | by Ana | with Ana,Ben,Cleo',
      'Disney: 13.99 USD | 1 month | 2026-05-01 | by Ana | with Ana,Ben,Cleo',
      'Netflix refund: -5 EUR | repayment | 2026-06-02 | by Ana | with Ana,Ben,Cleo | x2',
      'Gym: 20 EUR | 1 week | 2026-01-19 | by Ana | with Ana,Ben,Cleo | x3',
    ],
  ],
  [
    'one in yen',
    readSpliit(
      JSON.stringify({ ...SPLIIT, currencyCode: 'JPY', expenses: [expense('Hulu', '2026-01-01', 1026)] }),
    ),
    ['Hulu: 1026 JPY | once | 2026-01-01 | by Ana | with Ana,Ben,Cleo'],
  ],
  [
    'one of an old version',
    readSpliit(
      JSON.stringify({
        ...SPLIIT,
        currencyCode: null,
        expenses: [{ ...expense('Hulu', '2026-01-01', 1026), recurrenceRule: null }],
      }),
    ),
    ['Hulu: 10.26 EUR | once | 2026-01-01 | by Ana | with Ana,Ben,Cleo'],
  ],
  [
    'a Splitwise group in German',
    readSplitwise(SPLITWISE.join('\n')),
    [
      'Netflix: 19.99 EUR | 1 month | 2026-02-28 | by Ana B. | with Ana B.,Ben,Cleo | amount 4.99,5,9.99 | x2',
      'iCloud: 9.99 USD | 1 month | 2026-03-28 | by Ben | with Ana B.,Ben,Cleo | x2',
      'Rent: 1200 EUR | once | 2026-03-02 | by Ana B. | with Ana B.,Ben,Cleo',
      'Taxi for Cleo: 12 EUR | repayment | 2026-03-04 | by Ana B. | with Cleo | x2',
    ],
  ],
  [
    'the answers of Wallos',
    readWallos(WALLOS),
    [
      'Netflix: 19.99 EUR | 1 month | 2026-12-01 | by Ana',
      'Old: 9.99 EUR | ended | 2026-12-01 | by Ana',
      'Adobe: 9.99 USD | 1 year | 2026-12-01 | by Ana',
      'Water: 9.99 EUR | 3 week',
    ],
  ],
  [
    'a table with semicolons and columns in another order',
    readTable(TABLE),
    [
      'Netflix; the big one: 1019.99 EUR | 1 month | 2026-12-24 | a@x.org b@x.org',
      'Tidal: null EUR | 12 month',
      'Wine: 12 USD | 3 week',
    ],
  ],
  [
    'what no database can read',
    readWallos([
      WALLOS[0] ?? '',
      JSON.stringify({
        subscriptions: [
          subscription('Net\u0000fl\ud83dix', { next_payment: '0000-00-00' }),
          subscription('Tidal', { frequency: 1.5, next_payment: '2026-02-30' }),
        ],
      }),
    ]),
    ['Net fl ix: 9.99 EUR | 1 month | by Ana', 'Tidal: 9.99 EUR | once | by Ana'],
  ],
  [
    'a table with such numbers',
    readTable('service,every,places\nNetflix,99999999999 months,2.5'),
    ['Netflix: null EUR | once'],
  ],
  [
    'a table with French thousands',
    readTable(
      'service;price;every;renews\nNetflix Premium;1\u202f234,56;month;24.12.2026\nDisney;13,99 €;mensuel;24/12/2026\nHulu;1.234;an;1er janvier 2027',
    ),
    [
      'Netflix Premium: 1234.56 EUR | 1 month | 2026-12-24',
      'Disney: 13.99 EUR | 1 month | 2026-12-24',
      'Hulu: 1234 EUR | 1 year | 2027-01-01',
    ],
  ],
  [
    'a table that names its separator, with words of several languages',
    readTable(
      'sep=;\r\nservice;price;every;renews\r\nA;19,99;Monat;24. Dez. 2026\r\nB;1;annually;1.1.27\r\nC;1;alle 3 Monate;\r\nD;1;trimestral;\r\nE;1;2 weeks;\r\nF;1;cada año;\r\nG;1;tous les mois;\r\nH;1;/mese;',
    ),
    [
      'A: 19.99 EUR | 1 month | 2026-12-24',
      'B: 1 EUR | 1 year | 2027-01-01',
      'C: 1 EUR | 3 month',
      'D: 1 EUR | 3 month',
      'E: 1 EUR | 2 week',
      'F: 1 EUR | 1 year',
      'G: 1 EUR | 1 month',
      'H: 1 EUR | 1 month',
    ],
  ],
  [
    'a table with amounts and days that could be two',
    readTable(
      'sep=,\nservice,price,every,renews\nNetflix,10.825,month,03/04/2027\nTidal,"1,234",month,05/05/2027\nHulu,12,month,Dec 26',
    ),
    [
      'Netflix: null EUR | 1 month | 2027-04-03 or 2027-03-04?',
      'Tidal: null EUR | 1 month | 2027-05-05',
      'Hulu: 12 EUR | 1 month',
    ],
  ],
  [
    'a table with addresses as mail programs copy them',
    readTable(
      'service,invite\nA,"Ana B <ana@example.org>; ben@example.org"\nB,"""B, Ana"" <ANA@example.org>, ana@example.org, Cleo"\nC,mailto:ana@example.org ben@example.org.\nD,"Ben ben@example.org\nana@"',
    ),
    [
      'A: null EUR | 1 month | ana@example.org ben@example.org',
      'B: null EUR | 1 month | with Cleo | ANA@example.org',
      'C: null EUR | 1 month | ana@example.org ben@example.org',
      'D: null EUR | 1 month | with ana@ | ben@example.org',
    ],
  ],
  [
    'a Splitwise group with a column without a name, two people of one, and payers nobody knows',
    readSplitwise(
      [
        'Date,Description,Category,Cost,Currency,Dana,,Ben,Ben',
        '2026-10-22,Deezer,TV,21.99,EUR,11.00,,-10.99,0.00',
        '2026-11-22,Deezer,TV,21.99,EUR,11.00,,0.00,-10.99',
        '2026-11-23,Gone,TV,12.00,EUR,-5.00,,-5.00,0.00',
        '2026-11-23,Both paid,TV,20.00,EUR,5.00,,5.00,-10.00',
        '2026-11-23,Alone,TV,20.00,EUR,0.00,,0.00,0.00',
      ].join('\n'),
    ),
    [
      'Deezer: 21.99 EUR | 1 month | 2026-11-22 | by Dana | with Dana,Ben (2) | x2',
      'Gone: 12 EUR | once | 2026-11-23 | with Dana,Ben | unclear',
      'Both paid: 20 EUR | once | 2026-11-23 | with Dana,Ben,Ben (2) | unclear',
      'Alone: 20 EUR | once | 2026-11-23 | unclear',
    ],
  ],
  [
    'one with days as Americans write them, which only their rhythm tells',
    readSplitwise(
      [
        'Date,Description,Category,Cost,Currency,Ana,Ben',
        '9/5/2026,Crunchyroll,TV,9.99,EUR,5.00,-4.99',
        '10/5/2026,Crunchyroll,TV,9.99,EUR,5.00,-4.99',
        '11/5/2026,Crunchyroll,TV,9.99,EUR,5.00,-4.99',
        '5/5/2026,Pizza,TV,12.00,EUR,6.00,-6.00',
      ].join('\n'),
    ),
    [
      'Crunchyroll: 9.99 EUR | 1 month | 2026-11-05? | by Ana | with Ana,Ben | x3',
      'Pizza: 12 EUR | once | 2026-05-05 | by Ana | with Ana,Ben',
    ],
  ],
  [
    'one that a German spreadsheet has saved',
    readSplitwise(
      'Date;Description;Category;Cost;Currency;Ana;Ben\r\n03.04.2026;Hulu;TV;1.234,50;EUR;617,25;-617,25\r\n03/05/2026;Hulu;TV;1.234;EUR;617;-617\r\n03.05.2026;Saldo;;;EUR;1;-1',
    ),
    ['Hulu: 1234 EUR | 1 month | 2026-05-03 | by Ana | with Ana,Ben | x2 | unsteady'],
  ],
  [
    'a newer Spliit group, in which several may have paid',
    readSpliit(
      JSON.stringify({
        ...SPLIIT,
        expenses: [
          expense('Netflix', '2026-11-01', 1999, { paidById: undefined, paidByList: shares(1999) }),
          expense('Hulu', '2026-11-01', 1999, { paidById: undefined, paidByList: shares(1000, 0, 999) }),
          expense('Tidal', '2026-11-01', 1999, { paidById: undefined, paidByList: shares(0, 1) }),
          expense('Deezer', '2026-11-01', 1999, { paidById: null }),
        ],
      }),
    ),
    [
      'Netflix: 19.99 EUR | once | 2026-11-01 | by Ana | with Ana,Ben,Cleo',
      'Hulu: 19.99 EUR | once | 2026-11-01 | with Ana,Ben,Cleo',
      'Tidal: 19.99 EUR | once | 2026-11-01 | by Ben | with Ana,Ben,Cleo',
      'Deezer: 19.99 EUR | once | 2026-11-01 | with Ana,Ben,Cleo',
    ],
  ],
  [
    'a Wallos with escaped names, a lifetime and what was cancelled',
    readWallos([
      WALLOS[0] ?? '',
      JSON.stringify({
        subscriptions: [
          subscription('1&amp;1 Telekom', { payer_user_name: 'Andr&eacute;' }),
          subscription('Deezer &amp;amp; Co &#039;Family&#x27;', {}),
          subscription('AT&T; <3 & more', {}),
          subscription('Lifetime VPN', { cycle: 5 }),
          subscription('Tidal', { cancellation_date: '2026-10-01' }),
          subscription('Hulu', { cancellation_date: '2199-10-01' }),
        ],
      }),
    ]),
    [
      '1&1 Telekom: 9.99 EUR | 1 month | 2026-12-01 | by André',
      "Deezer & Co 'Family': 9.99 EUR | 1 month | 2026-12-01 | by Ana",
      'AT&T; <3 & more: 9.99 EUR | 1 month | 2026-12-01 | by Ana',
      'Lifetime VPN: 9.99 EUR | lifetime | 2026-12-01 | by Ana',
      'Tidal: 9.99 EUR | ended | 2026-12-01 | by Ana',
      'Hulu: 9.99 EUR | 1 month | 2026-12-01 | by Ana',
    ],
  ],
  [
    'our template, opened as one column and filled in by a German spreadsheet',
    readTable(
      '\u{FEFF}service,price,currency,every,renews,places,invite;;;;;;\r\nNetflix Premium;19,99;EUR;month;24.12.2026;4;\r\n"Tidal,16.99,EUR,month,2026-12-24,4,""ana@example.org";" ben@example.org""";;;;;\r\nHulu,9.99,EUR,year,2026-12-24,2,;;;;;;\r\n',
    ),
    [
      'Netflix Premium: 19.99 EUR | 1 month | 2026-12-24 | 4 places',
      'Tidal: 16.99 EUR | 1 month | 2026-12-24 | 4 places | ana@example.org ben@example.org',
      'Hulu: 9.99 EUR | 1 year | 2026-12-24 | 2 places',
    ],
  ],
  [
    'our template, saved by an old German spreadsheet',
    readTable(
      decode(
        Uint8Array.from(
          [
            ...'service;price;currency;every;renews;places;invite\r\nDisney+ Prämium;13,99;EUR;jährlich;24.12.2026;4;\r\n',
          ].map((letter) => letter.charCodeAt(0)),
        ),
      ),
    ),
    ['Disney+ Prämium: 13.99 EUR | 1 year | 2026-12-24 | 4 places'],
  ],
  [
    'a Spliit group whose people pay different parts, also in the currency in which it was paid',
    readSpliit(
      JSON.stringify({
        ...SPLIIT,
        participants: ['Ana', 'Ben', 'Ben'].map((name, at) => ({ id: 'ABC'[at], name })),
        expenses: [
          monthly('Shares', { splitMode: 'BY_SHARES', paidFor: shares(100, 200, 100) }),
          monthly('Percent', { splitMode: 'BY_PERCENTAGE', paidFor: shares(2500, 4166, 3334) }),
          monthly('Amount', { splitMode: 'BY_AMOUNT', paidFor: shares(0, 700, 300) }),
          monthly('Wrong', { splitMode: 'BY_AMOUNT', paidFor: shares(1, 2, 2 ** 53) }),
          monthly('Old', { splitMode: undefined, paidFor: shares(1, 2, 1) }),
          monthly('Yen', {
            ...{ splitMode: 'BY_AMOUNT', paidFor: shares(500, 300, 200) },
            ...{ originalAmount: 1601, originalCurrency: 'JPY' },
          }),
        ],
      }),
    ),
    [
      'Shares: 10 EUR | 1 month | 2026-11-01 | by Ana | with Ana,Ben,Ben (2) | amount 2.5,5,2.5',
      'Percent: 10 EUR | 1 month | 2026-11-01 | by Ana | with Ana,Ben,Ben (2) | percent 25,41.66,33.34',
      'Amount: 10 EUR | 1 month | 2026-11-01 | by Ana | with Ben,Ben (2) | amount 7,3',
      'Wrong: 10 EUR | 1 month | 2026-11-01 | by Ana | with Ana,Ben,Ben (2) | unclear',
      'Old: 10 EUR | 1 month | 2026-11-01 | by Ana | with Ana,Ben,Ben (2) | amount 2.5,5,2.5',
      'Yen: 1601 JPY | 1 month | 2026-11-01 | by Ana | with Ana,Ben,Ben (2) | amount 800,480,320',
    ],
  ],
  [
    'a Splitwise group whose prices or days differ, with the payer in no part of it',
    readSplitwise(
      [
        'Date,Description,Category,Cost,Currency,Ana,Ben,Cleo',
        ...['2026-09-01', '2026-10-01', '2026-11-01'].flatMap((day, at) => [
          `${day},Power,Home,${80 + at}.00,EUR,40.00,-20.00,-20.00`,
          `${day},Kagi,Home,12.00,GBP,8.00,-4.00,-4.00`,
          `${day},Gift,Home,10.00,EUR,10.00,-6.00,-4.00`,
        ]),
        '2026-08-01,Water,Home,9.00,EUR,6.00,-3.00,-3.00',
        '2026-08-31,Water,Home,9.00,EUR,6.00,-3.00,-3.00',
        '2026-11-01,Water,Home,9.00,EUR,6.00,-3.00,-3.00',
        '2026-11-02,Odd,Home,9.00,EUR,6.00,-3.00,-2.00',
      ].join('\n'),
    ),
    [
      'Power: 82 EUR | 1 month | 2026-11-01 | by Ana | with Ana,Ben,Cleo | amount 42,20,20 | x3 | unsteady',
      'Kagi: 12 GBP | 1 month | 2026-11-01 | by Ana | with Ana,Ben,Cleo | x3',
      'Gift: 10 EUR | 1 month | 2026-11-01 | by Ana | with Ben,Cleo | amount 6,4 | x3',
      'Water: 9 EUR | 2 month | 2026-11-01 | by Ana | with Ana,Ben,Cleo | x3 | unsteady',
      'Odd: 9 EUR | once | 2026-11-02 | by Ana | with Ana,Ben,Cleo | unclear',
    ],
  ],
  [
    'a table with people and their parts',
    readTable(
      [
        'service,price,every,people,shares,website,note',
        'A,12,month,Ben; Cleo; Ben,,https://a.example,Ask me',
        'B,12,month,"Ben; Cleo","4; 2.50",,',
        'C,12,month,"Ben; Cleo","25%; 50 %",,',
        'D,12,month,"Ben; Cleo","25%; 4",,',
        'E,12,month,"Ben; Cleo",4,,',
        'F,12,month,=1+1,all,,',
      ].join('\n'),
    ),
    [
      'A: 12 EUR | 1 month | with Ben,Cleo,Ben (2) | https://a.example | Ask me',
      'B: 12 EUR | 1 month | with Ben,Cleo | amount 4,2.5',
      'C: 12 EUR | 1 month | with Ben,Cleo | percent 25,50',
      'D: 12 EUR | 1 month | with Ben,Cleo | unclear',
      'E: 12 EUR | 1 month | with Ben,Cleo | unclear',
      'F: 12 EUR | 1 month | with =1+1 | unclear',
    ],
  ],
  ...languages.map((language): [string, ImportedRow[], string[]] => [
    `our own template in ${language}`,
    readTable(template(language)),
    [
      'Netflix Premium: 19.99 EUR | 1 month | 2026-12-24 | 4 places | ana@example.org ben@example.org',
      'Internet: 30 EUR | 1 month | 2026-12-15 | with Ben,Mum | amount 10,5',
    ],
  ]),
])('%s', (_name, rows, lines) => {
  expect(rows.map(line)).toEqual(lines)
})

test.each<[string, () => unknown]>([
  ['no JSON', () => readSpliit('<html>')],
  ['another JSON', () => readSpliit('{"expenses": []}')],
  ['no table', () => readSplitwise('PK\u0003\u0004')],
  ['the CSV of Spliit', () => readTable(SPLITWISE.join('\n'))],
  ...['now and then', 'bimonthly', 'every other month', 'biweekly'].map((every): [string, () => unknown] => [
    `the interval “${every}”`,
    () => readTable(`service,every\nNetflix,${every}`),
  ]),
  ['a wrong key', () => readWallos(['{"success":false,"title":"Invalid API key"}', WALLOS[0] ?? ''])],
  ['what is too large', () => decode(new Uint8Array(2_000_001))],
])('%s is refused with a reason', (_name, read) => {
  expect(read).toThrow(Unreadable)
})

test('letters are read as the file writes them', () => {
  expect(decode(new TextEncoder().encode('Käse'))).toBe('Käse')
  expect(decode(Uint8Array.of(0x4b, 0xe4, 0x73, 0x65))).toBe('Käse')
  expect(decode(Uint8Array.of(0xff, 0xfe, 0x4b, 0, 0xe4, 0))).toBe('Kä')
  expect(
    decode(
      new Uint8Array([...new TextEncoder().encode('<?xml version="1.0" encoding="ISO-8859-1"?>'), 0xe4]),
    ),
  ).toMatch(/ä$/)
})
