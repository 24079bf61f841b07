// The ends and prices of periods, for every critical day, zone and price.
// Proves PAY 02 10
import { expect, test } from 'vitest'
import { addPerson, denied, ownDatabase, refusalOf, rule } from '../people.ts'

const { db, sql } = await ownDatabase()

const ends = async (day: string, zone: string, count: number) =>
  (
    await sql`select (private.period_end(${day}, n, ${zone}) at time zone ${zone})::text as local
      from generate_series(1, ${count}) as n order by n`
  ).map(({ local }) => local)

test.each([
  ['2027-01-31', ['2027-02-28 00:00:00', '2027-03-31 00:00:00', '2027-04-30 00:00:00']],
  ['2028-01-31', ['2028-02-29 00:00:00', '2028-03-31 00:00:00', '2028-04-30 00:00:00']],
  ['2027-11-30', ['2027-12-30 00:00:00', '2028-01-30 00:00:00', '2028-02-29 00:00:00']],
])('a seat of %s keeps its day', async (day, expected) => {
  for (const zone of ['UTC', 'Europe/Berlin', 'America/Los_Angeles', 'Pacific/Kiritimati'])
    expect(await ends(day, zone, 3)).toEqual(expected)
})

test('through summer time a period ends at midnight, an hour earlier or later for the sun', async () => {
  const instants =
    await sql`select private.period_end('2027-02-15', n, 'Europe/Berlin') at time zone 'utc' as at
    from generate_series(0, 2) as n order by n`
  expect(instants.map(({ at }) => String(at))).toEqual([
    '2027-02-14 23:00:00',
    '2027-03-14 23:00:00',
    '2027-04-14 22:00:00',
  ])
})

// Every first day of four years in zones with and without daylight saving time, on both sides of the date line.
test('whatever the day and the zone: each period follows the one before, 28 to 31 days long, and ends in its own month', async () => {
  const wrong = await sql`
    select day, zone, n from generate_series('2026-01-01'::date, '2029-12-31', '1 day') as d (at)
    cross join lateral (select at::date as day) as of_day
    cross join unnest(array['UTC', 'Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'Pacific/Apia']) as zone
    cross join generate_series(1, 13) as n
    cross join lateral (select private.period_end(day, n - 1, zone) as starts, private.period_end(day, n, zone) as ends) as p
    where ends - starts not between interval '28 days' - interval '2 hours' and interval '31 days' + interval '2 hours'
      or (ends at time zone zone)::date <> (day + make_interval(months => n))::date
      or extract(day from ends at time zone zone) > extract(day from day)`
  expect(wrong).toEqual([])
})

test('the twelve instalments of a year add up to the cent, share and sum alike, and differ by a cent at most', async () => {
  const wrong = await sql`
    select year, rate from generate_series(11, 500, 0.37) as year
    join unnest(array[0.1, 0, 0.005, 0.01, 0.055, 0.2]) as rate on rate = 0.1 or year < 40
    cross join lateral (
      select sum(share) as share, sum(share + fee) as whole, min(fee) as least, max(fee) - min(fee) as fees_apart,
        max(share) - min(share) as apart
      from generate_series(1, 12) as n cross join lateral private.period_price('potluck', 'yearly', year, rate, n)
    ) as parts
    where share <> year or whole <> round(year * (1 + rate), 2) or least < 0 or apart > 0.01 or fees_apart > 0.02
      or rate = 0.1 and least < 0.05`
  expect(wrong).toEqual([])
})

test('a month costs the share and a tenth, rounded once; the thirteenth instalment is the first again', async () => {
  const prices = await sql`select share, fee from private.period_price('potluck', 'monthly', 3.35, 0.1, 1)
    union all select share, fee from private.period_price('direct', 'monthly', 3.35, 0.1, 1)
    union all select share, fee from private.period_price('potluck', 'yearly', 10, 0.1, 13)
    union all select share, fee from private.period_price('potluck', 'yearly', 10, 0.1, 1)`
  expect(prices.map(({ share, fee }) => `${share} ${fee}`)).toEqual([
    ...['3.35 0.34', '3.35 0.00', '0.83 0.09', '0.83 0.09'],
  ])
})

test('people have the zone of their browser, which must be one', async () => {
  const zoe = await addPerson(db, 'Zoe')
  const zone = async () => (await zoe.sql`select my_time_zone() as zone`)[0]?.zone
  // Until people have a time zone, their days begin in UTC.
  expect(await zone()).toBeNull()
  for (const good of ['America/Argentina/Buenos_Aires', 'UTC']) {
    await zoe.sql`select set_time_zone(${good})`
    expect(await zone()).toBe(good)
  }
  for (const bad of [null, '', 'Atlantis', 'FOO+5', 'posix/UTC', 'europe/berlin'])
    expect(await refusalOf(zoe.sql`select set_time_zone(${bad})`)).toEqual(
      rule('We don’t know this time zone'),
    )
})

test('the clock of periods moves forward, by the server, where nobody else can reach the site', async () => {
  const move = (by: string, sheltered: 'on' | 'off') =>
    db.transaction(async (tx) => {
      await tx.query(`select set_config('app.settings.sheltered', $1, true)`, [sheltered])
      await tx.script('set local role service_role')
      return tx.query(`select move_clock($1) > now() + interval '364 days' as moved`, [by])
    })
  expect(await refusalOf(move('1 year', 'off'))).toEqual(
    denied('The clock stays as it is where others can reach the site'),
  )
  for (const by of ['-1 second', '10 years 1 second'])
    expect(await refusalOf(move(by, 'on'))).toEqual(rule('The clock moves forward, by ten years at most'))
  expect(await move('10 years', 'on')).toEqual([{ moved: true }])
})
