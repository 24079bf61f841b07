import { t } from '@lingui/core/macro'
import { Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { dayInWords } from '#domain/dates.ts'
import { AnswerPayment } from '#features/money/payments/AnswerPayment.tsx'
import { useQueuedClaims } from '#features/money/payments/queued-claims.ts'
import { ProviderLogo } from '#features/plans/providers/ProviderLogo.tsx'
import { AvatarStack } from '#ui/AvatarStack.tsx'
import { TimeLeft } from '#ui/ExpiryBadge.tsx'
import { Leads } from '#ui/leads.ts'
import { LinkAnchor, LinkButton } from '#ui/links.tsx'
import { useNow } from '#ui/use-now.ts'
import { type AwaitedTask, homeKeys, type Task } from './home.queries.ts'
import classes from './Line.module.css'
import { Line, Lines } from './Line.tsx'
import { awaitedWords, paymentOf, wordsOf } from './task-words.ts'

/** Tasks in the given order. The button of the first one is highlighted. */
export function TaskList({ tasks }: { tasks: readonly Task[] }) {
  const waits = useQueuedClaims()
  const now = useNow()
  const cache = useQueryClient()
  const onAnswered = () => void cache.invalidateQueries({ queryKey: homeKeys.all })
  return (
    <Lines>
      {tasks.map((task, place) => {
        const { title, action, link } = wordsOf(task, now)
        const { kind, id, provider, plan, people } = task
        const leads = place === 0
        const answered = answerOf(task, { waits, onAnswered })
        return (
          <Line
            key={`${kind} ${id} ${task.planId}`}
            {...task}
            mark={provider && <ProviderLogo provider={provider} />}
            title={title}
            below={leads || Boolean(answered)}
            about={
              <>
                {plan && <bdi>{plan}</bdi>}
                <Time task={task} />
                {people.length > 0 && <AvatarStack people={people} size={26} />}
              </>
            }
          >
            {(answered && <Leads value={leads}>{answered}</Leads>) || (
              <LinkButton
                variant={leads ? 'filled' : 'light'}
                {...(!leads && { className: classes.quiet })}
                aria-label={[`${action}: ${title}`, plan].filter(Boolean).join(', ')}
                {...link}
              >
                {action}
              </LinkButton>
            )}
          </Line>
        )
      })}
    </Lines>
  )
}

/**
 * Returns the buttons that answer the task's payment on this page, or a note that "I’ve paid" waits for a connection.
 */
function answerOf(
  { kind, id, person, amount, currency }: Task,
  { waits, onAnswered }: { waits: readonly string[]; onAnswered: () => void },
) {
  if (id === null) return null
  if (kind === 'confirm-payment')
    return (
      <AnswerPayment
        payment={{ id, memberName: person || t`Someone`, amount: amount ?? 0, currency }}
        onAnswered={onAnswered}
      />
    )
  return waits.includes(id) ? (
    <Text size="sm" c="dimmed">
      {t`“I’ve paid” is sent once you’re online`}
    </Text>
  ) : null
}

/** Shows the time left; for a due payment, how long the person keeps the place, unless the place has ended. */
function Time({ task: { dueAt, lostAt, isOver } }: { task: Task }) {
  const now = useNow()
  if (!dueAt || !lostAt) return null
  if (dueAt === lostAt) return <TimeLeft until={dueAt} />
  if (isOver) return null
  return (
    <Text span inherit>
      {Date.parse(lostAt) > now
        ? t`Your place is kept until ${dayInWords(lostAt, new Date(now))}`
        : t`The owner may end your place`}
    </Text>
  )
}

/** The tasks that the person waits for other people to do. */
export function AwaitedList({ awaited }: { awaited: readonly AwaitedTask[] }) {
  const now = useNow()
  return (
    <Lines>
      {awaited.map((one) => {
        const { title, link } = awaitedWords(one, now)
        return (
          <Line
            key={`${one.kind} ${one.id}`}
            {...one}
            mark={one.provider && <ProviderLogo provider={one.provider} />}
            title={
              <LinkAnchor inherit c="inherit" className={classes.whole} {...link}>
                {title}
              </LinkAnchor>
            }
            about={one.plan && <bdi>{one.plan}</bdi>}
            amount={paymentOf(one) ? one.amount : null}
            currency={one.currency}
          />
        )
      })}
    </Lines>
  )
}
