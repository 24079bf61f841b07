import { t } from '@lingui/core/macro'
import { Button, Stack, Switch, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { isOwnPlan, type Plan } from '#domain/plan.ts'
import { planName } from '#domain/plan-name.ts'
import { privateOnlyText, restrictedProvidersQuery } from '#features/plans/catalogue/provider-rules.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { useReplaceLink } from './plan-link.ts'
import { useHidePlan } from './plans.mutations.ts'
import { SharePlan } from './SharePlan.tsx'

/** Lets the owner choose who can find the plan: everybody, or only people with its link. */
export function FindingCard({ plan, userId }: { plan: Plan; userId: string }) {
  const hide = useHidePlan(plan, userId)
  const { data: restricted = {} } = useQuery(restrictedProvidersQuery)
  const mayList = !isOwnPlan(plan) && !(plan.provider in restricted)
  return (
    <SurfaceCard component="section" aria-labelledby="finding-title">
      <Title order={2} size="h3" id="finding-title" mb="sm">
        {t`Visibility`}
      </Title>
      <Stack gap="md">
        <Switch
          label={t`Private`}
          description={
            mayList || isOwnPlan(plan) ? t`Only people with the link can find this plan.` : privateOnlyText
          }
          checked={plan.isPrivate}
          disabled={hide.isPending || (plan.isPrivate && !mayList)}
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
  const link = (
    <SharePlan planId={plan.id} title={`${plan.provider} ${planName(plan.name)}`} variant="default" />
  )
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
        {t`Replace link`}
      </Button>
      <ConfirmDialog
        opened={asking}
        title={t`Replace the link?`}
        confirmLabel={t`Replace link`}
        cancelLabel={t`Keep link`}
        onConfirm={() => {
          close()
          replace.mutate()
        }}
        onClose={close}
      >
        <Text>{t`The old link stops working right away. Members and open requests stay.`}</Text>
      </ConfirmDialog>
    </>
  )
}
