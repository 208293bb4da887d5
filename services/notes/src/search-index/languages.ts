import { fold } from './words.ts';

/**
 * The most frequent function words of each language that Postgres has a Snowball stemmer for. They
 * tell the language of a text, and are not indexed, as nearly every text contains them. Words that
 * also have a meaning of their own in the language (German `Arm`, Spanish `uso`) are not listed.
 */
const FUNCTION_WORDS = {
  english: `a about after all also am an and any are as at be because been before being both but by can
    could did do does for from had has have having he her his how i if in into is it its many may me more
    most my no nor not of on only or our out over shall she should so some such than that the their them
    then there these they this those through to too under up upon very was we were what when where which
    while who whom whose why will with would you your s t`,
  german: `aber alle als also am an auch auf aus bei bin bis bist da das dass dein dem den der des dich die
    dies diese dieser dieses dir doch du durch ein eine einem einen einer eines er es euch für habe haben
    hat hatte ich ihm ihn ihr im in ist ja kann kein keine man mein mich mir mit nach nicht noch nur ob
    oder ohne sehr sein seine sich sie sind so über um und uns unser vom von vor war was weil wenn wer wie
    wir wird wurde zu zum zur`,
  french: `à ai au aux avec c ce ces cet cette d dans de des du elle elles en est et eu il ils j je l la le
    les leur leurs lui m ma mais me mes moi mon n ne nos notre nous on ou où par pas plus pour qu que qui
    s sa sans se ses si son sont sur t ta te tes toi ton tu un une vos votre vous y était été être`,
  spanish: `a al ante aunque como con cual cuando de del desde donde el ella ellas ellos en entre era es esa
    ese eso esta estas este esto estos está están fue ha han hasta hay la las le les lo los me mi mis muy
    más ni no nos nosotros o os para pero por porque que qué se ser si sin sobre son su sus también te
    tiene tu tus un una uno unos y ya yo él`,
  italian: `a ad agli ai al alla alle allo anche che chi ci con come cui da dagli dai dal dalla degli dei
    del della delle dello di e ed era è gli ha hanno ho i il in io la le lei li lo loro lui ma mi mio ne
    negli nei nel nella non o per perché più quale quando quella quello questa questo se si sia sono su
    sua sul sulla suo ti tra tu un una uno`,
  portuguese: `a ao aos as até com como da das de dela dele do dos e ela elas ele eles em entre era essa
    esse esta este eu foi foram há isso isto já lhe mais mas me mesmo meu minha muito na nas nem no nos
    não nós o os ou para pela pelo por qual quando que quem se sem ser seu sua são só também te tem tu um
    uma você às é`,
  dutch: `aan al als bij daar dan dat de deze die dit door een en er geen had heb hebben heeft het hij hoe
    hun ik in is je kan maar me meer men met mij mijn naar niet nog of om omdat onder ons ook op over te
    tegen tot uit van veel voor want waren was wat we werd wie wij wordt worden ze zich zij zijn zo zonder
    zou`,
  swedish: `att av de dem den denna det detta du där efter ej eller en ett från för ha hade han hans har hon
    här i inte jag kan man med men mig min mot mycket ni nu när och om oss på sig sin ska skulle som så
    till under upp ut vad var vara vi vid vilken än är över`,
  norwegian: `alle at av ble bli da de den denne der det dette du eller en er et ett etter for fra ha hadde
    han har hun hva hvis hvor i ikke jeg kan man med meg men min mot noe noen nå når og også om opp oss
    over på seg sin skal som så til ut var ved vi være å`,
  danish: `af alle at blev bliver da de dem den denne der det dette dig du efter eller en er et for fra ham
    han hans har havde hende hendes her hun hvad hvis hvor i ikke jeg kan man med meget men mig min mod
    nogle noget når og også om op os over på sig sin skal som sådan til ud under var ved vi vil være`,
  finnish: `ei eivät ennen että he hän ja jo joka jos jotka kanssa kuin kun me mikä minä missä mutta myös
    mä ne niin nyt oli olla olen olet olivat on ovat se sekä sen sinä sitten siis tai te tämä tämän vain
    vaan`,
  hungarian: `a az abban amely ami amikor az azt azonban be csak de egy ekkor el ez ezek ezt fel ha hanem
    hogy is itt ki kell le lehet lesz már meg mert mi mint most nagyon ne nem nincs ott s sem szerint te
    ti után van vagy vagyok volt és én ő ők így úgy`,
  romanian: `a ai al ale am ar are au ca care ce cel cu cum când că da dar de din după e ea ei el este eu
    fi fie fost iar in la le lor lui mai mea meu mi ne ni nu o or pe pentru prin sau se si sunt să te tu
    un una unde unei unui va vor ți în într și`,
  turkish: `ama bana bazı ben beni benim bir biz bu bunu bunun çok da daha de değil diye en gibi hem hep her
    için ile ise kadar ki kim mı mi mu mü nasıl ne neden o olan olarak oldu olduğu onu onun sen siz şey
    şu ve veya ya yani`,
  russian: `а без бы был была были было быть в вам вас весь во вот все всё вы где да для до его ее если
    есть еще ещё же за и из или им их к как ко когда которые который кто ли мне мы на над не него нет ни
    них но о об он она они оно от по под при с со так также там то того тоже только ты у уже чего чем что
    чтобы эта эти это этот я`,
  greek: `αλλά αν από αυτά αυτή αυτό αυτός για δεν είναι εγώ εσύ η ήταν θα και κατά με μας μετά μη μια μου
    να ο οι όπως ότι που προς πως σας σε στα στη στην στο στον τα την της τι τις το τον του τους των ως`,
  arabic: `أن أو إلى إن الذي التي بعد بين حتى ثم ذلك على عن عند في قد كان كانت كل كما لا لم لن له لها ما مع
    من منذ هذا هذه هل هم هو هي و يا`,
} as const;

export type Language = keyof typeof FUNCTION_WORDS;

const LANGUAGES = Object.keys(FUNCTION_WORDS) as Language[];
export const DEFAULT_LANGUAGE: Language = 'english';
/** How many different function words tell that a text is not in the usual language. */
const DETECTED_WORDS_MIN = 2;

const functionWords = new Map<Language, ReadonlySet<string>>(
  LANGUAGES.map((language) => [language, new Set(FUNCTION_WORDS[language].split(/\s+/).map(fold))]),
);
const languagesOfWord = new Map<string, Language[]>();
for (const [language, words] of functionWords) {
  for (const word of words) {
    languagesOfWord.set(word, [...(languagesOfWord.get(word) ?? []), language]);
  }
}

/**
 * The language of a text: the usual one, unless more of its words are function words of another. A single
 * one says nothing: `war` and `door` are English words too.
 */
export function detectLanguage(
  words: Iterable<string>,
  usual: Language = DEFAULT_LANGUAGE,
  written: readonly Language[] = LANGUAGES,
): Language {
  const counts = new Map<Language, number>();
  for (const word of new Set(words)) {
    for (const language of languagesOfWord.get(word) ?? []) {
      counts.set(language, (counts.get(language) ?? 0) + 1);
    }
  }
  let best = usual;
  for (const language of written) {
    const count = counts.get(language) ?? 0;
    if (count >= DETECTED_WORDS_MIN && count > (counts.get(best) ?? 0)) best = language;
  }
  return best;
}

export function isFunctionWord(word: string, language: Language): boolean {
  return functionWords.get(language)?.has(word) ?? false;
}

const SCRIPT_LANGUAGES: [RegExp, Language][] = [
  [/\p{Script=Cyrillic}/u, 'russian'],
  [/\p{Script=Greek}/u, 'greek'],
  [/\p{Script=Arabic}/u, 'arabic'],
];
const OTHER_SCRIPTS = new Set(SCRIPT_LANGUAGES.map(([, language]) => language));

/**
 * The languages by whose rules a query's word may be inflected: that of its script, or for the Latin
 * script those in which notes are written. None for scripts without a stemmer.
 */
export function languagesOf(word: string, written: readonly Language[]): Language[] {
  const byScript = SCRIPT_LANGUAGES.find(([script]) => script.test(word));
  if (byScript !== undefined) return [byScript[1]];
  if (!/\p{Script=Latin}/u.test(word)) return [];
  const latin = written.filter((language) => !OTHER_SCRIPTS.has(language));
  return latin.length === 0 ? [DEFAULT_LANGUAGE] : latin;
}

export function isLanguage(name: string): name is Language {
  return Object.hasOwn(FUNCTION_WORDS, name);
}
