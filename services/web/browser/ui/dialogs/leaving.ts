/** Resolves to whether the page may be left. */
type Question = () => Promise<boolean>;

const questions = new Set<Question>();

/** Has a question asked before the page is left in another way than by the router. */
export function askBeforeLeaving(question: Question): () => void {
  questions.add(question);
  return () => void questions.delete(question);
}

/** Whether the person leaves what the page has not saved, if there is such. */
export async function mayLeave(): Promise<boolean> {
  for (const ask of questions) {
    if (!(await ask())) return false;
  }
  return true;
}
