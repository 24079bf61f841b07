import { t } from '@lingui/core/macro'
import { Container } from '@mantine/core'
import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { useCreateOwnPlan } from '#features/plans/sharing/create-own-plan.mutation.ts'
import { OwnPlanForm } from '#features/plans/sharing/OwnPlanForm.tsx'
import { given } from '#lib/search.ts'
import { BackLink } from '#ui/links.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'

export const Route = createFileRoute('/_shell/_signed-in/create_/own')({
  staticData: {
    signInNotice: { title: t`Authentication Required`, text: t`Please sign in to create a subscription.` },
  },
  validateSearch: z.object({ service: given(z.string()) }),
  component: CreateOwn,
})

function CreateOwn() {
  const create = useCreateOwnPlan()
  const { service } = Route.useSearch()
  return (
    <Container size="sm" py={{ base: 'md', sm: 'lg' }}>
      <BackLink to="/create" search={{}}>{t`Create New Plan`}</BackLink>
      <PageTitle title={t`Share something else`}>
        {t`Any service, with people you know. The plan stays private, and its members pay you directly, without a fee.`}
      </PageTitle>
      <OwnPlanForm service={service} busy={create.isPending} onSend={(plan) => create.mutate(plan)} />
    </Container>
  )
}
