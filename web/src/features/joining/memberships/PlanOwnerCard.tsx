import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Card, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Member } from '#domain/members.ts'
import { Loaded } from '#ui/Loaded.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { useMembersLive } from './memberships.live.ts'
import { membershipTexts } from './memberships.messages.ts'
import { membersQuery } from './memberships.queries.ts'
import { PersonRow } from './PersonRow.tsx'

interface PlanOwnerCardProps {
  planId: string
  chat: (owner: Member) => ReactNode
  /** The badge of the owner's standing. */
  levelOf: (owner: Member) => ReactNode
}

/** The plan's owner, with a chat button. */
export function PlanOwnerCard({ planId, chat, levelOf }: PlanOwnerCardProps) {
  const members = useQuery(membersQuery(planId))
  useMembersLive(planId)
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
          const owner = people.find(({ isOwner }) => isOwner)
          if (!owner) return <Text c="dimmed">{membershipTexts.ownerUnknown}</Text>
          return (
            <PersonRow member={owner} isSelf={false} actions={chat(owner)}>
              <Trans>Shares this plan with you</Trans> {levelOf(owner)}
            </PersonRow>
          )
        }}
      </Loaded>
    </Card>
  )
}
