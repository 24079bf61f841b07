import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ActionIcon, Alert, Button, Card, Group, List, Text, Title } from '@mantine/core'
import { IconAlertTriangle, IconCoins, IconUserMinus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import type { Member } from '#domain/members.ts'
import type { Plan } from '#domain/plan.ts'
import { type PlanSeat, unusedMoney } from '#domain/seats.ts'
import { ABORTED, isConnectionProblem, isSchemaProblem, toAppError } from '#lib/errors.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { CountBadge } from '#ui/CountBadge.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { useMembersLive } from './memberships.live.ts'
import { membershipTexts, membershipToasts } from './memberships.messages.ts'
import { useRemoveMember } from './memberships.mutations.ts'
import { MOST_ATTEMPTS, membersQuery } from './memberships.queries.ts'
import { PersonRow } from './PersonRow.tsx'

/** The number of failed attempts after which the card mentions it. */
const NOTED_AFTER = 3

interface MembersCardProps {
  plan: Plan
  userId: string
  seats: readonly PlanSeat[]
  /** The chat button, shown on every row but the owner's. */
  chat: (member: Member) => ReactNode
  /** The badge of a member's standing. */
  levelOf: (member: Member) => ReactNode
  /** The state of a member's place. */
  seatOf: (member: Member) => ReactNode
  /** The owner's earnings so far, if members pay through the site. */
  coins: ReactNode
  /** The button to invite a person. */
  invite: ReactNode
  /** The open invitations. */
  invited: ReactNode
}

/** The members of a plan, for its owner. */
export function MembersCard({
  plan,
  userId,
  seats,
  chat,
  levelOf,
  seatOf,
  coins,
  invite,
  invited,
}: MembersCardProps) {
  const { data, error, failureCount, failureReason, refetch } = useQuery(membersQuery(plan.id))
  const [leaving, setLeaving] = useState<Member | null>(null)
  const remove = useRemoveMember(plan.id)
  useMembersLive(plan.id)

  const problem = error ?? failureReason
  const schemaProblem = problem !== null && isSchemaProblem(problem)
  const connectionProblem = problem !== null && isConnectionProblem(problem)
  useEffect(() => {
    if (failureCount >= MOST_ATTEMPTS && connectionProblem) membershipToasts.connectionIssue(Date.now())
  }, [failureCount, connectionProblem])

  const members = data ?? (schemaProblem ? [ownerOf(plan)] : undefined)
  const silent = schemaProblem || (problem !== null && toAppError(problem).code === ABORTED)
  const noted = !silent && (error !== null || failureCount >= NOTED_AFTER)

  return (
    <Card component="section" aria-labelledby="members-title">
      <Group justify="space-between" gap="xs" mb="md">
        <Group gap="xs" wrap="nowrap">
          <Title order={2} size="h3" id="members-title">
            {t`Members`}
          </Title>
          <CountBadge count={members?.length ?? 0} variant="light" color="gray" />
        </Group>
        {invite}
      </Group>
      {noted && <IncompleteData problem={problem} onRetry={() => void refetch()} />}
      {members ? (
        <List listStyleType="none" spacing="md" styles={{ itemWrapper: { display: 'block' } }}>
          {members.map((member) => (
            <List.Item key={member.userId}>
              <PersonRow
                member={member}
                isSelf={member.userId === userId}
                actions={
                  <>
                    {member.userId !== userId && chat(member)}
                    {!member.isOwner && (
                      <ActionIcon
                        color="beet"
                        aria-label={t`Remove ${member.displayName}`}
                        onClick={() => setLeaving(member)}
                      >
                        <IconUserMinus size={20} />
                      </ActionIcon>
                    )}
                  </>
                }
              >
                <Text inherit truncate visibleFrom="xs">
                  {member.email}
                </Text>
                {!member.isOwner && (
                  <>
                    <Trans>
                      Joined <RelativeDate date={member.joinedAt} />
                      {seatOf(member)}
                    </Trans>
                    <div>{levelOf(member)}</div>
                  </>
                )}
              </PersonRow>
            </List.Item>
          ))}
        </List>
      ) : (
        !noted && <RowsSkeleton rows={Math.max(plan.currentMembers, 1)} />
      )}
      {invited}
      {coins && (
        <Group gap={8} mt="lg" wrap="nowrap" align="flex-start" c="dimmed">
          <IconCoins size={20} style={{ flex: 'none' }} aria-hidden />
          <Text size="sm" flex={1}>
            {membershipTexts.coins}
          </Text>
          {coins}
        </Group>
      )}
      <ConfirmDialog
        opened={leaving !== null}
        title={leaving ? t`Remove ${leaving.displayName}?` : t`Remove member?`}
        confirmLabel={t`Remove member`}
        cancelLabel={t`Keep member`}
        onConfirm={() => {
          if (leaving) remove.mutate(leaving)
          setLeaving(null)
        }}
        onClose={() => setLeaving(null)}
      >
        {leaving &&
          t`${{ member: leaving.displayName }} loses access to ${{ provider: plan.provider }} ${{ plan: plan.name }} right away, and your chat is archived.`}{' '}
        {unusedMoney(seats.filter(({ memberId }) => memberId === leaving?.userId)).join(' ')}
      </ConfirmDialog>
    </Card>
  )
}

/** The owner as a member, known even without the list. */
function ownerOf(plan: Plan): Member {
  return {
    userId: plan.ownerId,
    name: plan.ownerName,
    displayName: plan.ownerName,
    email: '',
    avatarUrl: null,
    isOwner: true,
    isAdmin: true,
    joinedAt: plan.createdAt,
  }
}

/** An alert that the members could not be loaded, with a button to try again. */
function IncompleteData({ problem, onRetry }: { problem: unknown; onRetry: () => void }) {
  return (
    <Alert
      role="alert"
      color="honey"
      mb="md"
      icon={<IconAlertTriangle aria-hidden />}
      title={membershipTexts.incompleteTitle}
    >
      <Text size="sm" mb="sm">
        {membershipTexts.membersFailed(problem)}
      </Text>
      <Button size="sm" variant="default" onClick={onRetry}>
        {t`Retry Loading`}
      </Button>
    </Alert>
  )
}
