import { t } from '@lingui/core/macro'
import { Button, Card, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Plan } from '#domain/plan.ts'
import { ChatButton } from '#features/people/chat/ChatButton.tsx'
import { type ChatPartner, chatPartner } from '#features/people/chat/chat.queries.ts'
import { Level } from '#features/people/person/Level.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { useMembersLive } from './memberships.live.ts'
import { membershipTexts } from './memberships.messages.ts'
import { membersQuery, ownerOf } from './memberships.queries.ts'
import { PersonRow } from './PersonRow.tsx'

interface PlanOwnerCardProps {
  plan: Plan
  userId: string
  onChat: (partner: ChatPartner) => void
}

/** The plan's owner, with a button to chat with them. */
export function PlanOwnerCard({ plan, userId, onChat }: PlanOwnerCardProps) {
  const members = useQuery(membersQuery(plan.id))
  useMembersLive(plan.id)
  return (
    <Card component="section" aria-labelledby="plan-owner-title">
      <Title order={2} size="h3" id="plan-owner-title" mb="md">
        {t`Plan Owner`}
      </Title>
      <Loaded
        of={members}
        pending={<RowsSkeleton rows={1} />}
        failed={(_problem, retry) => (
          <>
            <Text c="dimmed" role="alert">
              {membershipTexts.ownerFailed}
            </Text>
            <Button variant="default" mt="sm" onClick={retry}>
              {t`Retry`}
            </Button>
          </>
        )}
      >
        {(people) => {
          const owner = people.find(({ isOwner }) => isOwner) ?? ownerOf(plan)
          const { displayName: name, avatarUrl } = owner
          const partner = chatPartner(plan, userId, { name, avatarUrl })
          return (
            <PersonRow
              member={owner}
              isSelf={false}
              actions={<ChatButton {...{ partner, userId, onChat }} />}
            >
              <Level userId={owner.userId} name={name} />
            </PersonRow>
          )
        }}
      </Loaded>
    </Card>
  )
}
