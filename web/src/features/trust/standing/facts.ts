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
  need: Need
}

/** Each fact with its value and the requirement of one level. */
export function factsInWords(facts: Facts, need: LevelNeeds, graceDays: number): Fact[] {
  // A level needs either enough access given or enough payments on time.
  const either = facts.hoursGiven >= need.hours_given || facts.paidOnTime >= need.paid_on_time
  const most = need.most_answer_hours
  return [
    {
      label: t`Time here`,
      value: days(facts.daysHere),
      need: { text: days(need.days_here), met: facts.daysHere >= need.days_here },
    },
    {
      label: t`Working access given`,
      value: hours(facts.hoursGiven),
      need: { text: hours(need.hours_given), met: either },
    },
    {
      label: t`Payments on time`,
      value: String(facts.paidOnTime),
      need: { text: t`or ${need.paid_on_time}`, met: either },
    },
    {
      label: t`Payments more than ${plural(graceDays, { one: '# day', other: '# days' })} late`,
      ...few(facts.paidLate, need.most_paid_late),
    },
    { label: t`Problems caused`, ...few(facts.problems, need.most_problems) },
    { label: t`Refunds not paid to members`, ...few(facts.unkeptDebts, need.most_unkept_debts) },
    {
      label: t`Typical time to answer requests`,
      value: facts.answerMinutes === null ? t`No requests yet` : lasting(facts.answerMinutes),
      need: {
        text: t`At most ${plural(most, { one: '# hour', other: '# hours' })}`,
        met: facts.answerMinutes === null || facts.answerMinutes <= most * 60,
      },
    },
  ]
}

/** Returns how much of a level's requirements is met, from 0 to 1. An exceeded limit counts as a part not begun. */
export function progressTo(facts: Facts, need: LevelNeeds): number {
  const { daysHere, hoursGiven, paidOnTime, paidLate, problems, unkeptDebts, answerMinutes } = facts
  const exceeded = [
    paidLate > need.most_paid_late,
    problems > need.most_problems,
    unkeptDebts > need.most_unkept_debts,
    answerMinutes !== null && answerMinutes > need.most_answer_hours * 60,
  ].filter(Boolean).length
  const time = Math.min(1, daysHere / need.days_here)
  const use = Math.min(1, Math.max(hoursGiven / need.hours_given, paidOnTime / need.paid_on_time))
  return (time + use) / (2 + exceeded)
}

/** The facts that describe the person, in one sentence. */
export function factsSentence(facts: Facts): string {
  const { daysHere, hoursGiven, paidOnTime, paidLate, problems, unkeptDebts, answerMinutes } = facts
  const parts = [
    t`${days(daysHere)} here`,
    hoursGiven > 0 && t`working access for ${hours(hoursGiven)} over all plans`,
    paidOnTime > 0 && plural(paidOnTime, { one: '# payment on time', other: '# payments on time' }),
    paidLate > 0 && plural(paidLate, { one: '# payment late', other: '# payments late' }),
    problems > 0 && plural(problems, { one: '# problem caused', other: '# problems caused' }),
    unkeptDebts > 0 &&
      plural(unkeptDebts, { one: '# refund not paid to a member', other: '# refunds not paid to members' }),
    answerMinutes !== null && t`answers requests in ${lasting(answerMinutes)}`,
  ]
  return `${parts.filter(Boolean).join(', ')}.`
}

/** The requirements of the level after this one, or null at the top. */
export function nextLevel(level: Level, { levels }: Levels): LevelNeeds | null {
  return levels[levels.findIndex((one) => one.level === level) + 1] ?? null
}

const days = (count: number) => plural(count, { one: '# day', other: '# days' })
/** A time in whole years, days, or (below two days) hours. */
const hours = (count: number) => {
  const whole = Math.floor(count / 24)
  if (whole < 2) return plural(count, { one: '# hour', other: '# hours' })
  return whole % 365 === 0 ? plural(whole / 365, { one: '# year', other: '# years' }) : days(whole)
}
const few = (count: number, most: number): Omit<Fact, 'label'> => ({
  value: count === 0 ? t`None` : String(count),
  need: { text: most === 0 ? t`None` : t`At most ${most}`, met: count <= most },
})
const lasting = (minutes: number) =>
  minutes < 60
    ? plural(minutes, { one: '# minute', other: '# minutes' })
    : plural(Math.round(minutes / 60), { one: '# hour', other: '# hours' })
