import { plural, t } from '@lingui/core/macro'
import type { Level } from '#domain/standing.ts'
import type { RowOf } from '#lib/camel.ts'

/**
 * The facts from which the database computes a level. `problems` counts access problems that were this person's fault.
 * `answers` counts answers to join requests, `answerMinutes` is the median time of these answers. The rating is 1 to 5,
 * or null.
 */
export type Facts = Omit<RowOf<'standing_of', 'answerMinutes' | 'rating', { level: Level }>, 'userId'>

interface LevelNeeds {
  level: Level
  days_here: number
  hours_given: number
  paid_on_time: number
  most_paid_late: number
  most_problems: number
  most_unkept_debts: number
  most_answer_hours: number
}

/** The requirements of the levels as set in the database, lowest level first. */
export interface Levels {
  levels: LevelNeeds[]
  pairDays: number
  memoryDays: number
  graceDays: number
}

interface Need {
  text: string
  met: boolean
}

interface Fact {
  label: string
  value: string
  /** The requirements of each level, in the levels' order. */
  needs: Need[]
}

/** Each fact with its value and the requirement of each level above New. */
export function factsInWords(facts: Facts, { levels, graceDays }: Levels): Fact[] {
  // A level needs either enough access given or enough payments on time.
  const either = (need: LevelNeeds) =>
    facts.hoursGiven >= need.hours_given || facts.paidOnTime >= need.paid_on_time
  const of = (label: string, value: string, needOf: (need: LevelNeeds) => Need): Fact => ({
    label,
    value,
    needs: levels.map(needOf),
  })
  return [
    of(t`Time here`, plural(facts.daysHere, { one: '# day', other: '# days' }), ({ days_here }) => ({
      text: plural(days_here, { one: '# day', other: '# days' }),
      met: facts.daysHere >= days_here,
    })),
    of(t`Working access given`, hours(facts.hoursGiven), (need) => ({
      text: hours(need.hours_given),
      met: either(need),
    })),
    of(t`Payments on time`, String(facts.paidOnTime), (need) => ({
      text: t`or ${need.paid_on_time}`,
      met: either(need),
    })),
    of(
      t`Payments more than ${plural(graceDays, { one: '# day', other: '# days' })} late`,
      few(facts.paidLate),
      ({ most_paid_late }) => atMost(most_paid_late, facts.paidLate),
    ),
    of(t`Problems caused`, few(facts.problems), ({ most_problems }) => atMost(most_problems, facts.problems)),
    of(t`Refunds not paid to members`, few(facts.unkeptDebts), ({ most_unkept_debts }) =>
      atMost(most_unkept_debts, facts.unkeptDebts),
    ),
    of(
      t`Typical time to answer requests`,
      facts.answerMinutes === null ? t`No requests yet` : lasting(facts.answerMinutes),
      ({ most_answer_hours: most }) => ({
        text: t`At most ${plural(most, { one: '# hour', other: '# hours' })}`,
        met: facts.answerMinutes === null || facts.answerMinutes <= most * 60,
      }),
    ),
  ]
}

/** The level after this one, or null at the top. */
export function nextLevel(level: Level, { levels }: Levels): Level | null {
  const at = levels.findIndex((one) => one.level === level)
  return levels[at + 1]?.level ?? null
}

/** A time in whole years, days, or (below two days) hours. */
const hours = (count: number) => {
  const days = Math.floor(count / 24)
  if (days < 2) return plural(count, { one: '# hour', other: '# hours' })
  return days % 365 === 0
    ? plural(days / 365, { one: '# year', other: '# years' })
    : plural(days, { one: '# day', other: '# days' })
}
const few = (count: number) => (count === 0 ? t`None` : String(count))
const atMost = (most: number, count: number): Need => ({
  text: most === 0 ? t`None` : t`At most ${most}`,
  met: count <= most,
})
const lasting = (minutes: number) =>
  minutes < 60
    ? plural(minutes, { one: '# minute', other: '# minutes' })
    : plural(Math.round(minutes / 60), { one: '# hour', other: '# hours' })
