import { t } from '@lingui/core/macro'
import { ActionIcon, Alert, Button, Card, Group, List, Text, Title } from '@mantine/core'
import { IconAlertTriangle, IconCoins, IconUserMinus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Member } from '#domain/members.ts'
import type { Plan } from '#domain/plan.ts'
import { planName } from '#domain/plan-name.ts'
import { type PlanSeat, unusedMoney } from '#domain/seats.ts'
import { InviteMember } from '#features/joining/invitations/InviteMember.tsx'
import { OpenInvitations } from '#features/joining/invitations/OpenInvitations.tsx'
import { SeatLine } from '#features/money/payments/SeatLine.tsx'
import { CoinBalanceBadge } from '#features/money/wallet/CoinBalanceBadge.tsx'
import { AnnounceButton } from '#features/people/chat/AnnounceButton.tsx'
import { ChatButton } from '#features/people/chat/ChatButton.tsx'
import { type ChatPartner, chatPartner } from '#features/people/chat/chat.queries.ts'
import { Level } from '#features/people/person/Level.tsx'
import { ABORTED, isConnectionProblem, isSchemaProblem, toAppError } from '#lib/errors.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { CountBadge } from '#ui/CountBadge.tsx'
import { HeadingRow } from '#ui/HeadingRow.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { AddGuest } from './AddGuest.tsx'
import { ClaimedPlace } from './ClaimedPlace.tsx'
import { GuestLine } from './GuestLine.tsx'
import { useMembersLive } from './memberships.live.ts'
import { membershipTexts, membershipToasts } from './memberships.messages.ts'
import { useRemoveMember } from './memberships.mutations.ts'
import { MOST_ATTEMPTS, membersQuery, ownerOf } from './memberships.queries.ts'
import { PersonRow } from './PersonRow.tsx'

/** The number of failed attempts after which the card mentions the failure. */
const NOTED_AFTER = 3

interface MembersCardProps {
  plan: Plan
  userId: string
  seats: readonly PlanSeat[]
  onChat: (partner: ChatPartner) => void
}

/** The people on a plan, for its owner. */
export function MembersCard({ plan, userId, seats, onChat }: MembersCardProps) {
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

  const seatOf = ({ userId: id }: Member) => seats.find(({ memberId }) => memberId === id)
  const isGuest = (member: Member) => seatOf(member)?.isGuest
  const members = data ?? (schemaProblem ? [ownerOf(plan)] : undefined)
  const silent = schemaProblem || (problem !== null && toAppError(problem).code === ABORTED)
  const noted = !silent && (error !== null || failureCount >= NOTED_AFTER)

  return (
    <Card component="section" aria-labelledby="members-title">
      <HeadingRow
        mb="md"
        aside={
          <>
            <AnnounceButton plan={plan} />
            <AddGuest plan={plan} />
            <InviteMember plan={plan} />
          </>
        }
      >
        <Group gap="xs" wrap="nowrap">
          <Title order={2} size="h3" id="members-title">
            {t`Members`}
          </Title>
          <CountBadge count={members?.length ?? 0} variant="light" color="gray" />
        </Group>
      </HeadingRow>
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
                    {member.userId !== userId && !isGuest(member) && (
                      <ChatButton
                        partner={chatPartner(plan, member.userId, { ...member, name: member.displayName })}
                        userId={userId}
                        onChat={onChat}
                      />
                    )}
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
                    <SeatLine planId={plan.id} memberId={member.userId} />
                    <Claim planId={plan.id} seat={seatOf(member)} />
                    {isGuest(member) ? (
                      <GuestLine
                        plan={plan}
                        personId={member.userId}
                        seatId={seatOf(member)?.id}
                        name={member.displayName}
                      />
                    ) : (
                      <div>
                        <Level userId={member.userId} name={member.displayName} />
                      </div>
                    )}
                  </>
                )}
              </PersonRow>
            </List.Item>
          ))}
        </List>
      ) : (
        !noted && <RowsSkeleton rows={Math.max(plan.currentMembers, 1)} />
      )}
      <OpenInvitations planId={plan.id} />
      {plan.settlement === 'potluck' && (
        <Group gap={8} mt="lg" align="flex-start" c="dimmed">
          <IconCoins size={20} style={{ flex: 'none' }} aria-hidden />
          <Text size="sm" flex="1 1 8rem">
            {membershipTexts.coins}
          </Text>
          <CoinBalanceBadge userId={userId} />
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
          t`${{ member: leaving.displayName }} loses access to ${{ provider: plan.provider }} ${{ plan: planName(plan.name) }} right away, and your chat is archived.`}{' '}
        {unusedMoney(seats.filter(({ memberId }) => memberId === leaving?.userId)).join(' ')}
      </ConfirmDialog>
    </Card>
  )
}

const Claim = ({ planId, seat }: { planId: string; seat: PlanSeat | undefined }) =>
  seat?.claimedName ? <ClaimedPlace planId={planId} seat={seat} /> : null

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
