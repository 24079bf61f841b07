import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Anchor, Button, Group, List, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { toWish } from '@potluck/supabase/wish'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { priceEach } from '#domain/catalogue.ts'
import { fullDay } from '#domain/dates.ts'
import { formatMoney } from '#domain/money.ts'
import { paymentWords } from '#domain/payment-words.ts'
import type { PaymentStatus } from '#domain/payments.ts'
import { PlaceNotes } from '#features/joining/memberships/PlaceNotes.tsx'
import { HowPaidDialog } from '#features/money/payments/HowPaidDialog.tsx'
import { HowToPay } from '#features/money/payments/HowToPay.tsx'
import { periodText } from '#features/money/payments/period-text.ts'
import { carriesText } from '#features/money/payments/terms-text.ts'
import { NoticeCard } from '#features/plans/notices/NoticeCard.tsx'
import { useSession } from '#lib/session.ts'
import { Loaded } from '#ui/Loaded.tsx'
import { LinkButton } from '#ui/links.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { useNow } from '#ui/use-now.ts'
import { useScrolledTo } from '#ui/use-scrolled-to.ts'
import { PlaceAccess } from './PlaceAccess.tsx'
import { PlaceProof } from './PlaceProof.tsx'
import { PlaceCalendar, PlaceStored } from './PlaceStored.tsx'
import { useClaimPlace, usePlaceStep } from './place.mutations.ts'
import { type Place, type PlacePayment, placeQuery } from './place.queries.ts'
import { rememberPlace } from './place-memory.ts'

/**
 * The page of a guest, a person without an account. It loads nothing before one press, so that previews and scanners,
 * even those that run scripts, leave no trace.
 */
export function PlaceScreen({ secret }: { secret: string }) {
  const [isAsked, setAsked] = useState(false)
  if (isAsked) return <Opened secret={secret} />
  return (
    <>
      <PageTitle title={t`Your place in a shared plan`}>
        {t`Somebody you know shares it with you, and you need no account. Whoever has this link can open your place, so keep it to yourself.`}
      </PageTitle>
      <Button size="md" onClick={() => setAsked(true)}>
        {t`Show my place`}
      </Button>
    </>
  )
}

const Opened = ({ secret }: { secret: string }) => (
  <Loaded of={useQuery(placeQuery(secret))} rows={4} failed={t`This link doesn’t work`}>
    {(place) => <Shown place={place} secret={secret} />}
  </Loaded>
)

function Shown({ place, secret }: { place: Place; secret: string }) {
  const { provider, plan, owner, currency, endedAt, paused, paidUntil, owedBack, note } = place
  const step = usePlaceStep(secret)
  const open = place.payments.filter(
    ({ status, payable }) => payable || status === 'claimed' || status === 'disputed',
  )
  const past = place.payments.filter((payment) => payment.amount > 0 && !open.includes(payment))
  const price = priceEach(formatMoney(place.share, currency), place.cycleMonths)
  const [isProof, proof] = useDisclosure(false)
  if (isProof) return <PlaceProof place={place} onBack={proof.close} />
  return (
    <Stack gap="lg">
      <PageTitle title={`${provider} ${plan}`}>
        <Trans>
          With {owner}. Your share is {price}.
        </Trans>
      </PageTitle>
      {endedAt && <Text fw={600}>{t`Your place has ended on ${{ day: fullDay(endedAt) }}.`}</Text>}
      {paused && <Text fw={600}>{t`This plan is paused. Nothing is to be paid now.`}</Text>}
      {place.notices.map((notice) => (
        <NoticeCard
          key={notice.kind}
          {...{ notice, plan: { currency, cycle: place.cycleMonths } }}
          todo={{
            price: t`Your share stays the same unless you accept another one.`,
            pause: t`If you lose access then, tell ${owner}.`,
          }}
        />
      ))}
      {owedBack > 0 && (
        <Text
          fw={600}
        >{t`${owner} owes you ${formatMoney(owedBack, currency)} for time without access.`}</Text>
      )}
      {place.earlierDebts.map(({ name, amount }) => (
        <Text key={name} fw={600}>
          {t`${{ owner: name }} owes you ${formatMoney(amount, currency)} for time without access.`}
        </Text>
      ))}
      {!paused &&
        [...open].reverse().map((payment) => <Due key={payment.id} {...{ payment, place, step }} />)}
      {open.length === 0 && !endedAt && (
        <Text>
          {paidUntil ? t`Paid until ${{ day: fullDay(paidUntil) }}.` : t`Nothing is to be paid now.`}
        </Text>
      )}
      {place.terms && <Terms terms={place.terms} {...{ place, step }} />}
      {note && <Text style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>{note}</Text>}
      {place.opensAccess && <PlaceAccess secret={secret} owner={owner} />}
      {!endedAt && (
        <SectionCard titleId="notes" title={t`Notes`}>
          <PlaceNotes
            notes={place.notes}
            isOwner={false}
            other={owner}
            busy={step.isPending}
            onSend={(text, sent) => step.mutate({ step: 'note', text }, { onSuccess: sent })}
          />
        </SectionCard>
      )}
      {(past.length > 0 || !endedAt) && (
        <Past payments={past} currency={currency} {...(!endedAt && { onProof: proof.open })} />
      )}
      {!endedAt && <PlaceCalendar place={place} secret={secret} />}
      {!endedAt && <Keep secret={secret} />}
      <PlaceStored place={place} secret={secret} step={step} />
    </Stack>
  )
}

type Step = ReturnType<typeof usePlaceStep>

function Due({ payment, place, step }: { payment: PlacePayment; place: Place; step: Step }) {
  const { id, amount, reference, note, status, earlier } = payment
  const { currency } = place
  const { name: owner, wish } = earlier ?? { name: place.owner, wish: place.wish }
  const period = periodText(payment)
  const now = useNow()
  const isSaid = status !== 'due' && status !== 'cancelled'
  const [asking, ask] = useDisclosure(false)
  const card = useScrolledTo(isSaid)
  const say = (how?: string) =>
    step.mutate({ step: 'paid', paymentId: id, ...(how && { how }) }, { onSuccess: ask.close })
  return (
    <SurfaceCard ref={card} component="section" aria-labelledby={`due-${id}`}>
      <Stack gap="md">
        <div>
          <Title order={2} size="h3" id={`due-${id}`}>
            {isSaid ? (
              <Trans>Your payment to {owner}</Trans>
            ) : (
              <Trans>
                Pay {owner} {formatMoney(amount, currency)}
              </Trans>
            )}
          </Title>
          <Text size="sm" c="dimmed" role="status">
            {[period && t`For ${period}.`, `${wordsOf(payment, place, now)}.`].filter(Boolean).join(' ')}
          </Text>
        </div>
        {note && <Text dir="auto">{t`${owner} hasn’t received it: ${note}`}</Text>}
        {wish && <HowToPay wish={toWish(wish)} {...{ amount, currency, reference }} folded={isSaid} />}
        {!isSaid && (
          <>
            <Text size="sm" c="dimmed">
              {t`These details are from ${owner}, not from Potluck. Pay only people you know.`}
            </Text>
            <Button fullWidth loading={step.isPending} onClick={() => (note ? ask.open() : say())}>
              {t`I’ve paid`}
            </Button>
          </>
        )}
        {asking && <HowPaidDialog name={owner} busy={step.isPending} onConfirm={say} onClose={ask.close} />}
      </Stack>
    </SurfaceCard>
  )
}

const wordsOf = (
  { amount, dueAt, status, payable, note, earlier }: PlacePayment,
  { owner, currency }: Place,
  now: number,
) =>
  paymentWords(
    {
      ...{
        amount,
        currency,
        dueAt,
        note,
        ownerName: earlier?.name ?? owner,
        status: status as PaymentStatus,
      },
      ...{ payable: payable || status !== 'due', returned: 0, leftUnpaidAt: null },
    },
    'member',
    now,
  )

interface TermsProps {
  terms: NonNullable<Place['terms']>
  place: Place
  step: Step
}

function Terms({ terms: { id, share, carries }, place, step }: TermsProps) {
  const [price, now] = [share, place.share].map((sum) =>
    priceEach(formatMoney(sum, place.currency), place.cycleMonths),
  )
  const say = (accept: boolean) => () => step.mutate({ step: 'terms', proposalId: id, accept })
  return (
    <SurfaceCard component="section" aria-labelledby="terms">
      <Title order={2} size="h3" id="terms" mb="xs">
        {t`New share proposed`}
      </Title>
      <Text mb="md">
        <Trans>
          {place.owner} proposes {price} from your next payment on. You now pay {now}.
        </Trans>{' '}
        {carriesText(carries)}
      </Text>
      <Group gap="sm">
        <Button loading={step.isPending} onClick={say(true)}>
          {t`Accept`}
        </Button>
        <Button variant="default" loading={step.isPending} onClick={say(false)}>
          {t`Keep old terms`}
        </Button>
      </Group>
    </SurfaceCard>
  )
}

interface PastProps {
  payments: readonly PlacePayment[]
  currency: string
  onProof?: () => void
}

function Past({ payments, currency, onProof }: PastProps) {
  return (
    <SectionCard titleId="past" title={t`Payments`} gap="xs" align="flex-start">
      {payments.length > 0 && (
        <List listStyleType="none" spacing="xs">
          {payments.map((payment) => (
            <List.Item key={payment.id}>
              <Text>
                {[formatMoney(payment.amount, currency), periodText(payment)].filter(Boolean).join(' · ')}
              </Text>
              <Text size="sm" c="dimmed">
                {payment.paidAt
                  ? t`Paid on ${fullDay(payment.paidAt)}, receipt ${payment.receipt ?? ''}`
                  : t`Due on ${{ day: fullDay(payment.dueAt) }}`}
              </Text>
            </List.Item>
          ))}
        </List>
      )}
      {onProof && (
        <Anchor component="button" type="button" mih={44} onClick={onProof}>
          {t`Proof of a place`}
        </Anchor>
      )}
    </SectionCard>
  )
}

/** Lets the guest keep the place in an account, at once or after signing in. */
function Keep({ secret }: { secret: string }) {
  const { status } = useSession()
  const navigate = useNavigate()
  const claim = useClaimPlace(secret, (planId) =>
    navigate({ to: '/manage-subscribed/$planId', params: { planId }, replace: true }),
  )
  return (
    <SectionCard titleId="keep" title={t`Keep this in an account`} gap="sm" align="flex-start">
      <Text size="sm">
        {t`Then you find it without this link, and get reminders. The link stops working.`}
      </Text>
      {status === 'signed-in' ? (
        <Button variant="default" size="sm" loading={claim.isPending} onClick={() => claim.mutate()}>
          {t`Keep it in my account`}
        </Button>
      ) : (
        <LinkButton
          variant="default"
          size="sm"
          to="/signin"
          search={{ redirect: '/place' }}
          onClick={() => rememberPlace(secret)}
        >
          {t`Sign in or sign up`}
        </LinkButton>
      )}
    </SectionCard>
  )
}
