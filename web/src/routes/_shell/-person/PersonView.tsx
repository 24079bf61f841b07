import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Group, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, Suspense } from 'react'
import { fullDay } from '#domain/dates.ts'
import { LEVEL_NAMES, type Level } from '#domain/standing.ts'
import { ReportButton } from '#features/account/reports/ReportButton.tsx'
import { OfferCards } from '#features/plans/browse/OfferCards.tsx'
import { RatingLine, ReviewList } from '#features/trust/reviews/ReviewList.tsx'
import { lazyPart } from '#lib/online.ts'
import { LevelMark } from '#ui/LevelMark.tsx'
import { LinkAnchor, LinkButton } from '#ui/links.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'
import { PersonAvatar } from '#ui/PersonAvatar.tsx'
import { Sections } from '#ui/Sections.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import type { PersonPage } from './person.query.ts'

// Lazy, since visitors need none of these.
const StandingSummary = lazyPart(
  async () => (await import('#features/trust/standing/StandingSummary.tsx')).StandingSummary,
)
const BlockPerson = lazyPart(
  async () => (await import('#features/people/blocks/BlockPerson.tsx')).BlockPerson,
)

/** What a level says about a person. The database decides the numbers. */
const MEANINGS: Record<Level, string> = {
  new: t`New means that there is not much to judge by yet.`,
  proven: t`Proven means weeks here, with payments on time or working access given, and hardly a problem.`,
  trusted: t`Trusted means months here, with payments on time or working access given, and no problem.`,
}

interface PersonViewProps {
  person: PersonPage
  /** Null for a visitor. */
  readerId: string | null
}

/** A person's page: plans, standing and reviews, with buttons to report and block. */
export function PersonView({ person, readerId }: PersonViewProps) {
  const { id, name, plans } = person
  const self = id === readerId
  return (
    <Stack gap="lg">
      <Header person={person} self={self} />
      <Stack component="section" aria-labelledby="plans-title" gap="md">
        <Title order={2} id="plans-title">
          {self ? t`Plans you share` : t`Plans ${name} shares`}
        </Title>
        {plans.length === 0 && (
          <Text c="dimmed">{self ? t`None that others can find.` : t`None that you can find.`}</Text>
        )}
        <OfferCards offers={plans} ofOne />
      </Stack>
      <Sections plain>
        <Section title={t`Why ${LEVEL_NAMES[person.level]}?`}>
          {readerId ? (
            <Suspense fallback={<RowsSkeleton rows={4} />}>
              <StandingSummary userId={id} self={self} />
            </Suspense>
          ) : (
            <Text>
              {MEANINGS[person.level]}{' '}
              <Trans>
                <LinkAnchor to="/signin" search={{ redirect: `/people/${id}` }}>
                  Sign in
                </LinkAnchor>{' '}
                to see what this is based on.
              </Trans>
            </Text>
          )}
        </Section>
        <Section title={t`Reviews`}>
          <ReviewList userId={id} name={name} />
        </Section>
      </Sections>
      {!self && (
        <Group gap="xs">
          <ReportButton
            kind="person"
            subject={id}
            title={t`Report ${name}`}
            hasPicture={person.avatarUrl !== null}
          >
            {t`Report ${name}`}
          </ReportButton>
          {readerId && (
            <Suspense>
              <BlockPerson userId={id} name={name} />
            </Suspense>
          )}
        </Group>
      )}
    </Stack>
  )
}

function Header({ person, self }: { person: PersonPage; self: boolean }) {
  const { name, avatarUrl, since, level, rating, reviewers } = person
  return (
    <Group wrap="nowrap" gap="md" align="flex-start">
      <PersonAvatar name={name} src={avatarUrl} size={88} />
      <Stack gap={0} flex={1} miw={0}>
        <PageTitle
          title={name}
          actions={
            self && (
              <LinkButton variant="default" to="/account-settings">
                {t`Account settings`}
              </LinkButton>
            )
          }
        >
          {self && t`This is how others see you.`} {t`Here since ${{ day: fullDay(since) }}`}
        </PageTitle>
        <Group gap="sm" mt="calc(-1 * var(--mantine-spacing-sm))">
          <LevelMark level={level} />
          <RatingLine rating={rating} reviewers={reviewers} />
        </Group>
      </Stack>
    </Group>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <SurfaceCard component="section" aria-label={title}>
      <Title order={2} size="h3" mb="md">
        {title}
      </Title>
      {children}
    </SurfaceCard>
  )
}
