import { ForeignSessionDialog } from '#features/account/auth/ForeignSessionDialog.tsx'
import type { ForeignSession } from '#features/account/auth/foreign-session.ts'
import { AgeDialog } from '#features/account/profiles/AgeDialog.tsx'
import { NameDialog } from '#features/account/profiles/NameDialog.tsx'
import { ProofDialog } from '#features/account/security/ProofDialog.tsx'
import { SellerDialog } from '#features/account/sellers/SellerDialog.tsx'
import type { ProofRequest } from '#lib/proof.ts'

interface QuestionsProps {
  proof: ProofRequest | null
  name: { name: string; answer: (given: boolean) => void } | null
  seller: { answer: (given: boolean) => void } | null
  age: { answer: (given: boolean) => void } | null
  foreign: ForeignSession | null
}

/**
 * The dialogs that interrupt an action: proof of identity, name, private person or trader, age, foreign session. They
 * share a file because they are rare.
 */
export default function Questions({ proof, name, seller, age, foreign }: QuestionsProps) {
  return (
    <>
      {proof && <ProofDialog {...proof} />}
      {name && <NameDialog {...name} />}
      {seller && <SellerDialog {...seller} />}
      {age && <AgeDialog {...age} />}
      {foreign && <ForeignSessionDialog {...foreign} />}
    </>
  )
}
