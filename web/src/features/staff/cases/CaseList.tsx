import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Badge, Group, Image, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { fullDay } from '#domain/dates.ts'
import { CLAIMS } from '#features/account/reports/reports.ts'
import { useLive } from '#lib/live.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { FormattedText } from '#ui/FormattedText.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { PersonAvatar } from '#ui/PersonAvatar.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { pressedBy, Queue, queueRow } from '#ui/Queue.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { CASE_HOTKEYS, CaseActions } from './CaseActions.tsx'
import { CasePlans, EarlierDecisions } from './CaseFacts.tsx'
import { caseTexts, caseTitle, OUTCOMES } from './cases.messages.ts'
import { type Case, type CaseFilter, caseKeys, casesQuery } from './cases.queries.ts'
import { ReportedChat } from './ReportedChat.tsx'

interface CaseListProps {
  filter: CaseFilter
  /** True for admins, who may suspend people. */
  maySuspend: boolean
}

/** What people bring to the staff: questions, reports and appeals. */
export function CaseList({ filter, maySuspend }: CaseListProps) {
  const empty =
    filter.isClosed || filter.person ? (
      <EmptyState order={2} title={t`No cases found`}>
        {t`Try fewer filters.`}
      </EmptyState>
    ) : (
      <EmptyState order={2} title={t`No cases waiting`}>
        {t`You’re all caught up.`}
      </EmptyState>
    )
  // Cases may arrive, and other staff may close them, while the list is open.
  useLive('cases', [{ table: 'cases' }], { keys: [caseKeys.all] })
  return (
    <Loaded of={useQuery(casesQuery(filter))} failed={caseTexts.listFailed} empty={empty}>
      {(cases) => (
        <Queue opens={t`Open the page of the person`} keys={CASE_HOTKEYS}>
          <Stack gap="md">
            {cases.map((one) => (
              <CaseCard key={one.id} of={one} maySuspend={maySuspend} />
            ))}
          </Stack>
        </Queue>
      )}
    </Loaded>
  )
}

function CaseCard({ of: one, maySuspend }: { of: Case; maySuspend: boolean }) {
  const { kind, personId, personName, writerId, writerName, avatarUrl, suspendedUntil, claim, content } = one
  const isQuestion = kind === 'question'
  const [id, name] = isQuestion ? [writerId, writerName] : [personId, personName]
  return (
    <SurfaceCard component="article" aria-label={caseTitle(one)} {...queueRow}>
      <Stack gap="md">
        <Group gap="sm" align="flex-start">
          <PersonAvatar name={name ?? ''} src={isQuestion ? null : avatarUrl} size={44} />
          <Stack gap={0} miw={0} flex={1}>
            <Text fw={600} truncate>
              {id ? (
                <PersonLink staff userId={id} name={name ?? ''} pressed={pressedBy('o')} />
              ) : (
                caseTitle(one)
              )}
            </Text>
            {isQuestion ? (
              <Text size="sm" c="dimmed">
                {t`Asks a question`} · <RelativeDate date={one.openedAt} size="sm" />
              </Text>
            ) : (
              <Writer of={one} />
            )}
          </Stack>
          {!isQuestion && (
            <Badge variant="light" color="gray" tt="none">
              {KINDS[kind]}
            </Badge>
          )}
          {suspendedUntil !== null && (
            <Badge variant="light" color="beet" tt="none">
              <Trans>Suspended until {fullDay(suspendedUntil)}</Trans>
            </Badge>
          )}
        </Group>
        {claim && <Text fw={600}>{CLAIMS[claim]}</Text>}
        <FormattedText>{one.body}</FormattedText>
        {one.decision && (
          <Quote title={t`The decision, by ${one.decision.decidedBy ?? t`someone who has left`}`}>
            {one.decision.said}
          </Quote>
        )}
        {content && kind === 'picture' && (
          <Image
            src={content}
            alt={t`The reported picture`}
            w={160}
            radius="md"
            referrerPolicy="no-referrer"
          />
        )}
        {content && kind !== 'picture' && kind !== 'person' && (
          <Quote title={t`What was reported`}>{content}</Quote>
        )}
        {one.outcome ? (
          <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
            <b>{OUTCOMES[one.outcome]}</b>, {one.closedByName},{' '}
            <RelativeDate date={one.closedAt ?? ''} size="sm" />
            {one.answer && `: ${one.answer}`}
          </Text>
        ) : (
          <>
            {!isQuestion && (
              <>
                <CasePlans plans={one.plans} reporter={writerName} />
                <EarlierDecisions earlier={one.earlier} />
              </>
            )}
            {one.hasChat && <ReportedChat of={one} />}
            <CaseActions of={one} maySuspend={maySuspend} />
          </>
        )}
      </Stack>
    </SurfaceCard>
  )
}

const KINDS: Record<Exclude<Case['kind'], 'question'>, string> = {
  person: t`Person`,
  picture: t`Picture`,
  plan: t`Plan`,
  review: t`Review`,
  message: t`Message`,
  appeal: t`Appeal against a decision`,
}

function Quote({ title, children }: { title: string; children: string }) {
  return (
    <Stack gap={2}>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <FormattedText c="dimmed">{children}</FormattedText>
    </Stack>
  )
}

function Writer({ of: { kind, writerId, writerName, writerEmail, openedAt, unfounded } }: { of: Case }) {
  const when = <RelativeDate date={openedAt} />
  if (kind === 'appeal')
    return (
      <Text size="sm" c="dimmed">
        {when}
      </Text>
    )
  const who = writerId ? (
    <PersonLink staff userId={writerId} name={writerName ?? ''} />
  ) : (
    writerName && <bdi>{[writerName, writerEmail].filter(Boolean).join(', ')}</bdi>
  )
  return (
    <Text size="sm" c="dimmed">
      {!who ? (
        <Trans>Reported by someone without a name, {when}</Trans>
      ) : (
        <Trans>
          Reported by {who}, {when}
        </Trans>
      )}
      {unfounded > 0 && ` · ${caseTexts.unfounded(unfounded)}`}
    </Text>
  )
}
