import { Button, Stack, Switch, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { Plan } from '#domain/plan.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { useReplaceLink } from './plan-link.ts'
import { useHidePlan } from './plans.mutations.ts'
import { SharePlan } from './SharePlan.tsx'

/** Lets the owner choose who finds the plan: everybody, or only people with its link. */
export function FindingCard({ plan, userId }: { plan: Plan; userId: string }) {
  const hide = useHidePlan(plan, userId)
  return (
    <SurfaceCard component="section" aria-labelledby="finding-title">
      <Title order={2} size="h3" id="finding-title" mb="sm">
        Who Finds It
      </Title>
      <Stack gap="md">
        <Switch
          label="Private"
          description="Only people with its link find this plan. It does not appear in browsing."
          checked={plan.isPrivate}
          disabled={hide.isPending}
          onChange={({ currentTarget }) => hide.mutate(currentTarget.checked)}
        />
        {!hide.isPending && <PlanLink plan={plan} />}
      </Stack>
    </SurfaceCard>
  )
}

function PlanLink({ plan }: { plan: Plan }) {
  const replace = useReplaceLink(plan.id)
  const [asking, { open, close }] = useDisclosure()
  const link = <SharePlan planId={plan.id} title={`${plan.provider} ${plan.name}`} variant="default" />
  if (!plan.isPrivate) return link
  return (
    <>
      {link}
      <Button
        variant="default"
        style={{ alignSelf: 'flex-start' }}
        loading={replace.isPending}
        onClick={open}
      >
        Replace the link
      </Button>
      <ConfirmDialog
        opened={asking}
        title="Replace the Link"
        confirmLabel="Replace the link"
        cancelLabel="Keep it"
        onConfirm={() => {
          close()
          replace.mutate()
        }}
        onClose={close}
      >
        <Text>
          The link as it is stops working at once, also for people who have opened it. Members stay, and so do
          those who have asked for a place or wait for one.
        </Text>
      </ConfirmDialog>
    </>
  )
}
