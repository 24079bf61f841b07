import { t } from '@lingui/core/macro'
import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { fullDay } from '#domain/dates.ts'
import { listOf } from '#domain/lists.ts'
import { formatMoney, toCents } from '#domain/money.ts'
import { datesInWords, monthAsHeading, monthInWords, monthOf } from '#domain/months.ts'
import { dueWords } from '#domain/payment-words.ts'
import { dayOf } from '#domain/renewal.ts'
import { Calendar } from '#ui/dates.ts'
import { HeadingRow } from '#ui/HeadingRow.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { LoneLink } from '#ui/links.tsx'
import { Money } from '#ui/Money.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { useNow } from '#ui/use-now.ts'
import classes from './PaymentCalendar.module.css'
import { paymentTexts } from './payments.messages.ts'
import { type PaymentDay, paymentDaysQuery } from './payments.queries.ts'
import { ownSeatsQuery } from './seats.queries.ts'

/** A month with the days on which a person pays or is paid, and the payments of the chosen day or the whole month. */
export function PaymentCalendar({ userId }: { userId: string }) {
  return (
    <Loaded
      of={useQuery(paymentDaysQuery(userId))}
      pending={<RowsSkeleton rows={6} />}
      failed={paymentTexts.daysFailed}
    >
      {(entries) => <Month entries={entries} userId={userId} />}
    </Loaded>
  )
}

function Month({ entries, userId }: { entries: readonly PaymentDay[]; userId: string }) {
  const { data: seats } = useQuery(ownSeatsQuery(userId))
  const today = dayOf(new Date(useNow()))
  const [month, setMonth] = useState(() => monthOf(new Date()))
  const [chosen, setChosen] = useState<string | null>(null)
  const of = (part: string) => entries.filter(({ dueAt }) => dayOf(new Date(dueAt)).startsWith(part))
  const shown = of(chosen ?? month)
  const show = (day: string) => {
    setMonth(day.slice(0, 7))
    setChosen(day === chosen ? null : day)
  }
  const title = chosen ? fullDay(chosen) : monthInWords(month)
  return (
    <SurfaceCard p={{ base: 'sm', sm: 'lg' }}>
      <div className={classes.parts}>
        <div className={classes.month}>
          <Calendar
            {...datesInWords}
            fullWidth
            maxLevel="month"
            highlightToday
            hideOutsideDates
            date={`${month}-01`}
            onDateChange={(date) => {
              setMonth(date.slice(0, 7))
              setChosen(null)
            }}
            ariaLabels={{ previousMonth: t`Previous month`, nextMonth: t`Next month` }}
            classNames={{
              day: classes.day ?? '',
              calendarHeaderControl: classes.control ?? '',
              calendarHeaderLevel: classes.level ?? '',
            }}
            getDayProps={(day) => ({
              selected: day === chosen,
              'aria-pressed': day === chosen,
              'aria-current': day === today ? 'date' : undefined,
              onClick: () => show(day),
            })}
            getDayAriaLabel={(day) => listOf([fullDay(day), ...sums(of(day))])}
            renderDay={(day) => <Day day={day} entries={of(day)} />}
          />
          <Group gap="lg" mt="sm" justify="center">
            {([false, true] as const).map((receives) => (
              <Group key={String(receives)} gap={8} wrap="nowrap">
                <span className={classes.mark} data-receives={receives || undefined} />
                <Text span size="sm">
                  {receives ? t`You receive` : t`You pay`}
                </Text>
              </Group>
            ))}
          </Group>
        </div>
        <Stack gap="sm" component="section" aria-labelledby="due-title" miw={0}>
          <HeadingRow
            aside={
              chosen && (
                <Button variant="subtle" size="compact-md" mih={44} onClick={() => setChosen(null)}>
                  {t`Whole month`}
                </Button>
              )
            }
          >
            <Title order={2} size="h3" id="due-title" aria-live="polite">
              {chosen ? title : monthAsHeading(month)}
            </Title>
          </HeadingRow>
          {shown.length === 0 ? (
            <Text c="dimmed">{chosen ? t`Nothing is due on ${title}.` : t`Nothing is due in ${title}.`}</Text>
          ) : (
            <>
              <Text c="dimmed">{capitalized(listOf(sums(shown)))}.</Text>
              <ul className={classes.entries}>
                {shown.map((entry) => (
                  <Entry
                    key={`${entry.subscriptionId} ${entry.person} ${entry.dueAt} ${entry.receives}`}
                    entry={entry}
                    ended={
                      !entry.receives &&
                      seats !== undefined &&
                      !seats.some(({ planId }) => planId === entry.subscriptionId)
                    }
                  />
                ))}
              </ul>
            </>
          )}
        </Stack>
      </div>
    </SurfaceCard>
  )
}

const capitalized = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)

/** The amounts to pay and to receive, in words; an amount of zero is left out. */
const sums = (entries: readonly PaymentDay[]): string[] =>
  [false, true].flatMap((way) => {
    const cents = new Map<string, number>()
    for (const { receives, amount, currency } of entries)
      if (receives === way) cents.set(currency, (cents.get(currency) ?? 0) + toCents(amount))
    const amount = listOf([...cents].map(([currency, sum]) => formatMoney(sum / 100, currency)))
    return amount === '' ? [] : way ? t`you receive ${amount}` : t`you pay ${amount}`
  })

/** A day's number, above a dot if there is something to pay and a ring if there is something to receive. */
function Day({ day, entries }: { day: string; entries: readonly PaymentDay[] }) {
  return (
    <span className={classes.number}>
      {Number(day.slice(8))}
      <span className={classes.marks}>
        {entries.some(({ receives }) => !receives) && <span className={classes.mark} />}
        {entries.some(({ receives }) => receives) && <span className={classes.mark} data-receives />}
      </span>
    </span>
  )
}

interface EntryProps {
  entry: PaymentDay
  /** True if the person's place has ended, so that they can no longer open the plan. */
  ended: boolean
}

function Entry({
  entry: { receives, subscriptionId, plan, person, amount, currency, dueAt },
  ended,
}: EntryProps) {
  const now = useNow()
  return (
    <li className={classes.entry}>
      <span className={classes.mark} data-receives={receives || undefined} aria-hidden />
      <div className={classes.words}>
        {ended ? (
          <LoneLink to="/payments">{plan}</LoneLink>
        ) : (
          <LoneLink
            to={receives ? '/manage-shared/$planId' : '/manage-subscribed/$planId'}
            params={{ planId: subscriptionId }}
          >
            {plan}
          </LoneLink>
        )}
        <Text size="sm" c="dimmed" component="div">
          {dueWords(dueAt, now)} · {receives ? t`from ${person}` : t`to ${person}`}
        </Text>
      </div>
      <Money amount={amount} currency={currency} fw={600} />
    </li>
  )
}
