import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect } from 'react'
import { planName } from '#domain/plan-name.ts'
import { isFull } from '#domain/slots.ts'
import { EmailLinkForm } from '#features/account/auth/EmailLinkForm.tsx'
import { rememberTarget } from '#features/account/auth/post-login.ts'
import { ReportButton } from '#features/account/reports/ReportButton.tsx'
import { Level } from '#features/people/person/Level.tsx'
import { browseTexts } from '#features/plans/browse/browse.messages.ts'
import type { OfferPage } from '#features/plans/browse/market.queries.ts'
import { offerQuery } from '#features/plans/browse/market.queries.ts'
import { SimilarPlans } from '#features/plans/browse/SimilarPlans.tsx'
import { WizardFailure } from '#features/plans/catalogue/WizardFailure.tsx'
import { lazyPart, onceOnline } from '#lib/online.ts'
import { useSession } from '#lib/session.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { LevelMark } from '#ui/LevelMark.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { LinkAnchor, LinkButton } from '#ui/links.tsx'
import { CardGridSkeleton, RowsSkeleton } from '#ui/Skeletons.tsx'
import { OfferView } from './OfferView.tsx'

// Lazy, since visitors do not need it.
const AskForPlace = lazy(() => onceOnline(() => import('./AskForPlace.tsx')))
const StaffHistory = lazy(() => onceOnline(() => import('./StaffHistory.tsx')))
const ReviewList = lazyPart(async () => (await import('#features/trust/reviews/ReviewList.tsx')).ReviewList)

/** What a reader of a plan's page wants: a place or, as a visitor, to write to the owner. */
type Wish = boolean | 'question'

interface OfferScreenProps {
  planId: string
  /** What the reader came for: it opens the request dialog or a visitor's form immediately. */
  asks?: Wish | undefined
}

/** A plan's public page, with the way to request a place. */
export function OfferScreen({ planId, asks }: OfferScreenProps) {
  const session = useSession()
  const { status } = session
  return (
    <Loaded
      of={useQuery(offerQuery(planId))}
      pending={
        <>
          {import.meta.env.SSR && <SaidByServer />}
          <CardGridSkeleton cards={2} columns={2} />
        </>
      }
      failed={(problem, retry, busy) => (
        <WizardFailure title={browseTexts.failed} problem={problem} busy={busy} onRetry={retry} />
      )}
    >
      {(offer) => (
        <>
          {offer === null ? (
            <Gone />
          ) : (
            <OfferView
              offer={offer}
              level={
                status === 'signed-in' ? (
                  <Level userId={offer.ownerId} name={offer.ownerName} />
                ) : (
                  <LevelMark level={offer.ownerLevel} />
                )
              }
              ask={
                <Suspense fallback={<Button loading>{t`Request to join`}</Button>}>
                  {status === 'loading' && <Button loading>{t`Request to join`}</Button>}
                  {status === 'signed-out' && (
                    <div data-for-visitors>
                      <AskAsVisitor offer={offer} asks={asks} />
                    </div>
                  )}
                  {status === 'signed-in' && (
                    <AskForPlace offer={offer} user={session.user} opensItself={asks === true} />
                  )}
                </Suspense>
              }
              reviews={
                <Suspense fallback={<RowsSkeleton rows={2} />}>
                  <ReviewList userId={offer.ownerId} name={offer.ownerName} />
                </Suspense>
              }
            />
          )}
          {offer && status === 'signed-in' && (
            <Suspense>
              <StaffHistory offer={offer} userId={session.user.id} />
            </Suspense>
          )}
          {offer && !(status === 'signed-in' && session.user.id === offer.ownerId) && (
            <ReportButton kind="plan" subject={offer.id} title={t`Report this plan`}>
              {t`Report this plan`}
            </ReportButton>
          )}
          <SimilarPlans planId={planId} provider={offer?.provider} />
        </>
      )}
    </Loaded>
  )
}

/** Placeholders in the prerendered page, which the server fills in with the text of the page's head. */
const SaidByServer = () => (
  <Stack gap={4} mb="lg">
    <Title order={1} data-head="heading" />
    <Text size="lg" c="dimmed" data-head="description" />
  </Stack>
)

function Gone() {
  return (
    <EmptyState
      order={1}
      title={t`We can’t find this plan`}
      action={<LinkButton to="/plans">{t`See all plans`}</LinkButton>}
    >
      {t`The owner may have cancelled it or made it private.`}
    </EmptyState>
  )
}

/**
 * Lets a visitor start a request or question: they enter an email address, and the mailed link leads back to the form.
 */
function AskAsVisitor({ offer, asks }: { offer: OfferPage; asks: Wish | undefined }) {
  const here = `/plans/${encodeURIComponent(offer.id)}`
  const back = `${here}?ask=true`
  const full = isFull(offer)
  const title = `${offer.provider} ${planName(offer.name)}`
  // A visitor who signs in through the header also returns here.
  useEffect(() => rememberTarget(back), [back])
  if (!offer.offered) return <Button disabled>{t`Not available right now`}</Button>
  if (asks) return <EmailLinkForm target={asks === 'question' ? here : back} from={here} />
  // Links, because they work before the app has started.
  const page = { to: '/plans/$planId', params: { planId: offer.id }, resetScroll: false } as const
  return (
    <Stack gap="xs">
      <LinkButton
        {...page}
        search={{ ask: true }}
        aria-label={full ? t`Join the waiting list of ${title}` : t`Request to join ${title}`}
      >
        {full ? t`Join the waiting list` : t`Request to join`}
      </LinkButton>
      <Text size="sm" c="dimmed" ta="center">
        <Trans>
          All we need is your name and email.{' '}
          <LinkAnchor {...page} search={{ ask: 'question' }} inherit>
            Ask {offer.ownerName} a question
          </LinkAnchor>
        </Trans>
      </Text>
    </Stack>
  )
}
