import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { fullDay } from '#domain/dates.ts'
import { formatMoney } from '#domain/money.ts'
import type { Claim } from '#domain/payments.ts'
import { named } from '#domain/plan-name.ts'
import { camel, type RowOf } from '#lib/camel.ts'
import { useChange } from '#lib/change.ts'
import { AppError, NOT_FOUND, toAppError } from '#lib/errors.ts'
import { query } from '#lib/query.ts'
import { useSession } from '#lib/session.ts'
import { rpc } from '#lib/supabase.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { LinkButton } from '#ui/links.tsx'
import { usePageName } from '#ui/PageTitle.tsx'
import { PageLoading } from '#ui/Skeletons.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { DenyDialog } from './lazy-dialogs.ts'
import { paymentTexts, paymentToasts } from './payments.messages.ts'
import { paymentKeys } from './payments.queries.ts'

/**
 * The page of a mailed link to answer a payment claim, whether or not the receiver is signed in. Needs a button press,
 * since mail scanners open links.
 */
export function AnswerScreen({ token }: { token: string }) {
  const { data: claim, error, refetch } = useQuery(linkedClaimQuery(token))
  const { status: signedIn } = useSession()
  const [denying, deny] = useDisclosure()
  const answer = useAnswerByLink(token, deny.close)
  usePageName(t`Has it arrived?`)
  if (!claim && !error) return <PageLoading />
  if (!claim)
    return error && toAppError(error).code !== NOT_FOUND ? (
      <EmptyState
        order={1}
        title={t`That didn’t work`}
        action={<Button onClick={() => void refetch()}>{t`Try Again`}</Button>}
      >
        {toAppError(error).message}
      </EmptyState>
    ) : (
      <EmptyState
        order={1}
        title={t`This link doesn’t work`}
        action={
          signedIn === 'signed-in' ? (
            <LinkButton to="/payments">{t`My Payments`}</LinkButton>
          ) : (
            <LinkButton to="/signin" search={{ redirect: '/payments' }}>
              {t`Sign in to answer`}
            </LinkButton>
          )
        }
      >
        {t`You can also answer in My Payments.`}
      </EmptyState>
    )
  const { kind, payerName, planName, amount, currency, madeAt, status, answerBy, mayDeny } = claim
  const sum = formatMoney(amount, currency)
  const isOpen = status === 'open'
  const busy = answer.isPending
  return (
    <SurfaceCard component="section" aria-labelledby="answer-title">
      <Title order={1} size="h2" id="answer-title" mb="xs" style={{ overflowWrap: 'anywhere' }}>
        {isOpen ? (
          <Trans>
            Has {sum} from {payerName} arrived?
          </Trans>
        ) : (
          OVER[status]
        )}
      </Title>
      <Text style={{ overflowWrap: 'anywhere' }} mb="md">
        {kind === 'payment'
          ? t`${payerName} said on ${{ day: fullDay(madeAt) }} that they’ve paid ${sum} for ${planName}.`
          : t`${payerName} said on ${{ day: fullDay(madeAt) }} that they’ve paid back ${sum} for ${planName}.`}{' '}
        {isOpen && answerBy && paymentTexts.countsBy(answerBy)}
        {status === 'disputed' && answerBy && paymentTexts.decidesBy(answerBy)}
      </Text>
      <Group gap="sm">
        {isOpen && (
          <Button loading={busy && !denying} disabled={busy} onClick={() => answer.mutate({})}>
            {t`Received`}
          </Button>
        )}
        {mayDeny && (
          <Button variant="default" disabled={busy} onClick={deny.open}>
            {t`Not received`}
          </Button>
        )}
        {!isOpen && !mayDeny && (
          <LinkButton to="/payments" search={kind === 'payment' ? { tab: 'received' } : {}}>
            {t`My Payments`}
          </LinkButton>
        )}
      </Group>
      {denying && (
        <Suspense>
          <DenyDialog
            name={payerName}
            amount={amount}
            currency={currency}
            late={!isOpen}
            busy={busy}
            onConfirm={(note) => answer.mutate({ note })}
            onClose={deny.close}
          />
        </Suspense>
      )}
    </SurfaceCard>
  )
}

const OVER = {
  received: t`Received`,
  unanswered: t`It counts as received`,
  denied: t`You said it hasn’t arrived`,
  disputed: t`Our team decides`,
  undecided: t`It counts for neither of you`,
  void: t`No answer is needed anymore`,
} as const

/** The payment claim that a mailed link asks about. Times are ISO. */
type LinkedClaim = RowOf<'get_payment_claim', 'note' | 'answerBy', Pick<Claim, 'kind' | 'status'>>

/** The claim behind a mailed link; needs no sign-in. Fails with PT404 for an unknown link. */
const linkedClaimQuery = (token: string) =>
  query({
    key: [...paymentKeys.all, 'link', token],
    staleTime: 0,
    load: async (signal): Promise<LinkedClaim> => {
      const [row] = await rpc('get_payment_claim', { p_token: token }, signal)
      if (!row) throw new AppError(NOT_FOUND, '')
      return named(camel<LinkedClaim>(row))
    },
  })

/** Sends the receiver's answer with the link's token. With a `note`, the payment is denied; without, confirmed. */
const useAnswerByLink = (token: string, onAnswered: () => void) =>
  useChange({
    run: ({ note }: { note?: string }) =>
      rpc('answer_payment_claim', {
        p_token: token,
        p_received: note === undefined,
        ...(note && { p_note: note }),
      }),
    stale: [paymentKeys.all],
    done: onAnswered,
    failed: paymentToasts.failed,
  })
